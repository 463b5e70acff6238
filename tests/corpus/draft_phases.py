"""A state machine: Enum with tuple values and __init__, transitions in a dict keyed by (enum, enum)."""
from enum import Enum, auto
from perfectplay import Game


class Phase(Enum):
    DRAFT = auto()
    PLAY = auto()
    DONE = auto()


class Unit(Enum):
    ROCK = (1, "r")
    PAPER = (2, "p")
    BLADE = (3, "b")

    def __init__(self, rank, letter):
        self.rank = rank
        self.letter = letter

    def beats(self, other):
        return BEATS[self] is other

    @classmethod
    def from_letter(cls, letter):
        for unit in cls:
            if unit.letter == letter:
                return unit
        raise KeyError(letter)


BEATS = {Unit.ROCK: Unit.BLADE, Unit.PAPER: Unit.ROCK, Unit.BLADE: Unit.PAPER}
NEXT = {Phase.DRAFT: Phase.PLAY, Phase.PLAY: Phase.DONE}


class Draft(Game):
    """Draft two units each, then play them in turn; the later player answers."""

    def initial(self):
        return Phase.DRAFT, ((), ()), None, 0, 0

    def to_move(self, state):
        return state[4]

    def actions(self, state):
        phase, hands, _, _, turn = state
        if phase is Phase.DRAFT:
            return list(Unit)
        return sorted(set(hands[turn]), key=lambda u: u.rank)

    def result(self, state, action):
        phase, hands, table, score, turn = state
        mine = list(hands[turn])
        if phase is Phase.DRAFT:
            mine.append(action)
            hands = tuple(tuple(mine) if i == turn else h for i, h in enumerate(hands))
            if all(len(h) == 2 for h in hands):
                phase = NEXT[phase]
            return phase, hands, None, score, 1 - turn
        mine.remove(action)
        hands = tuple(tuple(mine) if i == turn else h for i, h in enumerate(hands))
        if table is None:
            return phase, hands, action, score, 1 - turn
        if action.beats(table):
            score += 1 if turn == 0 else -1
        elif table.beats(action):
            score += -1 if turn == 0 else 1
        if not any(hands):
            phase = NEXT[phase]
        return phase, hands, None, score, turn

    def is_terminal(self, state):
        return state[0] is Phase.DONE

    def utility(self, state, player):
        return state[3] if player == 0 else -state[3]

    def action_name(self, action):
        return action.letter
