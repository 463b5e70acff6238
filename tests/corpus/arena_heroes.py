"""Tuples of NamedTuples, sorted with keys, min/max with keys, _asdict-free, sum with start, zip strict."""
from operator import attrgetter
from typing import NamedTuple, Tuple
from perfectplay import Game


class Hero(NamedTuple):
    name: str
    hp: int
    power: int
    side: int

    @property
    def alive(self) -> bool:
        return self.hp > 0

    def hit(self, damage: int) -> "Hero":
        return self._replace(hp=max(0, self.hp - damage))


class Battle(NamedTuple):
    heroes: Tuple[Hero, ...]
    turn: int = 0
    rounds: int = 0

    def of(self, side):
        return tuple(h for h in self.heroes if h.side == side and h.alive)


class Attack(NamedTuple):
    attacker: str
    target: str


class Arena(Game):
    def initial(self):
        return Battle((Hero("axe", 5, 2, 0), Hero("bow", 3, 3, 0), Hero("elf", 4, 2, 1), Hero("orc", 6, 1, 1)))

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        mine = sorted(state.of(state.turn), key=attrgetter("power"), reverse=True)
        theirs = sorted(state.of(1 - state.turn), key=lambda h: (h.hp, h.name))
        return [Attack(m.name, t.name) for m in mine for t in theirs]

    def result(self, state, action):
        attacker = next(h for h in state.heroes if h.name == action.attacker)
        heroes = tuple(h.hit(attacker.power) if h.name == action.target else h for h in state.heroes)
        return Battle(heroes, 1 - state.turn, state.rounds + 1)

    def is_terminal(self, state):
        return state.rounds >= 6 or not state.of(0) or not state.of(1)

    def utility(self, state, player):
        best = max(state.heroes, key=lambda h: h.hp)
        total = sum((h.hp for h in state.of(0)), 0) - sum((h.hp for h in state.of(1)), 0)
        total += 0 if best.hp == 0 else (1 if best.side == 0 else -1)
        return total if player == 0 else -total
