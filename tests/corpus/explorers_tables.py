"""Module tables made by loops and functions at import; dicts keyed by tuples, strings and enums."""
from enum import Enum, auto
from perfectplay import Game


class Terrain(Enum):
    GRASS = auto()
    SWAMP = auto()
    ROCK = auto()


COST = {Terrain.GRASS: 1, Terrain.SWAMP: 2}
MAP = {}
for y, line in enumerate(["ggs", "srg", "ggg"]):
    for x, letter in enumerate(line):
        MAP[x, y] = {"g": Terrain.GRASS, "s": Terrain.SWAMP, "r": Terrain.ROCK}[letter]
COMPASS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def build_neighbours():
    table = {}
    for (x, y), terrain in MAP.items():
        if terrain is Terrain.ROCK:
            continue
        table[(x, y)] = {
            name: (x + dx, y + dy)
            for name, (dx, dy) in COMPASS.items()
            if MAP.get((x + dx, y + dy), Terrain.ROCK) is not Terrain.ROCK
        }
    return table


NEIGHBOURS = build_neighbours()
TREASURE = {(2, 0): 5, (0, 2): 3, (2, 2): 2}


class Explorers(Game):
    """Two explorers walk over terrain, spend food and take treasures."""

    def initial(self):
        return ((0, 0), (1, 2)), (6, 6), frozenset(TREASURE), (0, 0), 0

    def to_move(self, state):
        return state[4]

    def actions(self, state):
        places, food, _, _, turn = state
        moves = [
            way
            for way, place in NEIGHBOURS[places[turn]].items()
            if COST[MAP[place]] <= food[turn] and place not in places
        ]
        return moves if moves else ["rest"]

    def result(self, state, action):
        places, food, treasures, gold, turn = map(lambda part: list(part) if isinstance(part, tuple) else part, state)
        if action == "rest":
            food[turn] = max(0, food[turn] - 1)
        else:
            place = NEIGHBOURS[places[turn]][action]
            food[turn] -= COST[MAP[place]]
            places[turn] = place
            if place in treasures:
                gold[turn] += TREASURE[place]
                treasures = treasures.difference([place])
        return tuple(places), tuple(food), treasures, tuple(gold), 1 - turn

    def is_terminal(self, state):
        return sum(state[1]) == 0 or not state[2]

    def utility(self, state, player):
        a, b = state[3]
        return a - b if player == 0 else b - a
