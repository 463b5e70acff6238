"""Pokemon-like duel: dict of dict of moves, types chart as nested dict, dataclass creatures, min/max damage, floats."""
from dataclasses import dataclass, replace
from perfectplay import Game

CHART = {
    "fire": {"leaf": 2.0, "water": 0.5},
    "water": {"fire": 2.0, "leaf": 0.5},
    "leaf": {"water": 2.0, "fire": 0.5},
}
MOVES = {
    "ember": dict(kind="fire", power=3),
    "splash": dict(kind="water", power=3),
    "whip": dict(kind="leaf", power=3),
    "rest": dict(kind=None, power=0),
}


@dataclass(frozen=True)
class Creature:
    kind: str
    hp: float
    moves: tuple[str, ...]

    @property
    def fainted(self):
        return self.hp <= 0


@dataclass(frozen=True)
class Duel:
    team: tuple[Creature, Creature]
    turn: int = 0
    count: int = 0


class Sprites(Game):
    def initial(self):
        return Duel((Creature("fire", 9.0, ("ember", "rest")), Creature("leaf", 12.0, ("whip", "splash", "rest"))))

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return state.team[state.turn].moves

    def result(self, state, action):
        move = MOVES[action]
        me, foe = state.team[state.turn], state.team[1 - state.turn]
        if move["kind"] is None:
            me = replace(me, hp=me.hp + 1.5)
        else:
            factor = CHART[move["kind"]].get(foe.kind, 1.0)
            foe = replace(foe, hp=max(0.0, foe.hp - move["power"] * factor))
        team = (me, foe) if state.turn == 0 else (foe, me)
        return Duel(team=team, turn=1 - state.turn, count=state.count + 1)

    def is_terminal(self, state):
        return state.count >= 7 or any(c.fainted for c in state.team)

    def utility(self, state, player):
        a, b = state.team
        score = a.hp - b.hp
        if b.fainted:
            score += 10
        if a.fainted:
            score -= 10
        return score if player == 0 else -score
