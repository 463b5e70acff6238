"""Fox and geese as a student project: Board class with grid list, Position objects w/o __eq__, print helpers unused."""
from perfectplay import Game


class Move:
    def __init__(self, frm, to):
        self.frm = frm
        self.to = to

    def __repr__(self):
        return "%s->%s" % (self.frm, self.to)


class FoxAndGeese(Game):
    """A fox (MAX) against two geese on the dark squares of 4x4."""

    def __init__(self):
        self.size = 4

    def initial(self):
        state = {"fox": (3, 0), "geese": [(0, 1), (0, 3)], "turn": "fox", "moves": 0}
        return self.encode(state)

    def encode(self, s):
        return (s["fox"], tuple(sorted(s["geese"])), s["turn"], s["moves"])

    def decode(self, t):
        fox, geese, turn, moves = t
        return {"fox": fox, "geese": list(geese), "turn": turn, "moves": moves}

    def to_move(self, state):
        return 0 if self.decode(state)["turn"] == "fox" else 1

    def inside(self, r, c):
        return r >= 0 and r < self.size and c >= 0 and c < self.size

    def actions(self, state):
        s = self.decode(state)
        result = []
        taken = s["geese"] + [s["fox"]]
        if s["turn"] == "fox":
            for dr in [-1, 1]:
                for dc in [-1, 1]:
                    r, c = s["fox"][0] + dr, s["fox"][1] + dc
                    if self.inside(r, c) and (r, c) not in taken:
                        result.append(Move(s["fox"], (r, c)))
        else:
            for g in s["geese"]:
                for dc in [-1, 1]:
                    r, c = g[0] + 1, g[1] + dc
                    if self.inside(r, c) and (r, c) not in taken:
                        result.append(Move(g, (r, c)))
        return result

    def result(self, state, action):
        s = self.decode(state)
        if s["turn"] == "fox":
            s["fox"] = action.to
            s["turn"] = "geese"
        else:
            s["geese"].remove(action.frm)
            s["geese"].append(action.to)
            s["turn"] = "fox"
        s["moves"] += 1
        return self.encode(s)

    def is_terminal(self, state):
        s = self.decode(state)
        return s["fox"][0] == 0 or s["moves"] >= 10 or len(self.actions(state)) == 0

    def utility(self, state, player):
        s = self.decode(state)
        if s["fox"][0] == 0:
            value = 1
        elif s["turn"] == "fox" and not self.actions(state):
            value = -1
        elif s["turn"] == "geese" and not self.actions(state):
            value = 1
        else:
            value = 0
        return value if player == 0 else -value
