"""Cards from either end: slices kept as values, a class that is chosen while running, hexadecimal moves."""
from perfectplay import Game

CARDS = (3, 1, 4, 1, 5, 9, 2, 6)
ENDS = {"first": lambda lo, hi, n: slice(lo, lo + n), "last": lambda lo, hi, n: slice(hi - n, hi)}


class Hand:
    def __init__(self, worth):
        self.worth = worth


class Greedy(Hand):
    pass


class Modest(Hand):
    pass


class Ends(Game):
    def initial(self):
        return 0, len(CARDS), 0, 0, 0

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        lo, hi, *_ = state
        return [f"{n:x}{end}" for end in ENDS for n in (1, 2) if n <= hi - lo]

    def result(self, state, action):
        lo, hi, turn, mine, theirs = state
        taken = ENDS[action[1:]](lo, hi, int(action[0], 16))
        gain = sum(CARDS[taken])
        if taken.start == lo:
            lo = taken.stop
        else:
            hi = taken.start
        return lo, hi, 1 - turn, theirs, mine + gain

    def is_terminal(self, state):
        return state[0] == state[1]

    def utility(self, state, player):
        wanted = Greedy if player == state[2] else Modest
        hands = Greedy(state[3] - state[4]), Modest(state[4] - state[3])
        return sum(hand.worth for hand in hands if isinstance(hand, wanted))
