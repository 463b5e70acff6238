"""Everything in one string with separators; regex-free parsing; str.format with names; % formatting; zfill; int base 2."""
from perfectplay import Game

TEMPLATE = "{pos:d};{bag:04b};{turn};{left}"


class Caves(Game):
    """Two thieves move one torch-bearer through caves in turn, picking gems; even gems for MAX."""

    EXITS = {0: "1 2", 1: "0 3", 2: "0 3", 3: "1 2"}

    def initial(self):
        return TEMPLATE.format(pos=0, bag=0, turn=0, left=5)

    def fields(self, state):
        pos, bag, turn, left = state.split(";")
        return int(pos), int(bag, 2), int(turn), int(left)

    def to_move(self, state):
        return int(state.split(";")[2])

    def actions(self, state):
        pos, bag, _, _ = self.fields(state)
        acts = ["go%s" % e for e in self.EXITS[pos].split()]
        if not bag >> pos & 1:
            acts.append("take")
        return acts

    def result(self, state, action):
        pos, bag, turn, left = self.fields(state)
        if action == "take":
            bag |= 1 << pos
        elif action.startswith("go"):
            pos = int(action[2:])
        else:
            raise ValueError(action)
        return TEMPLATE.format(pos=pos, bag=bag, turn=1 - turn, left=left - 1)

    def is_terminal(self, state):
        return state.endswith(";0")

    def utility(self, state, player):
        pos, bag, _, _ = self.fields(state)
        ones = bin(bag).count("1")
        value = (ones if ones % 2 == 0 else -ones) + (0.5 if pos == 3 else 0)
        return value if player == 0 else -value
