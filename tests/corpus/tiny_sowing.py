"""Turns that repeat, bonus moves, a sowing game on a dict of lists; while loops with index arithmetic."""
from perfectplay import Game

PITS = 3
STONES = 2


class TinySow(Game):
    def initial(self):
        side = {"pits": [STONES] * PITS, "store": 0}
        return self._pack([side, side], 0)

    def _pack(self, sides, turn):
        return tuple((tuple(s["pits"]), s["store"]) for s in sides) + (turn,)

    def _unpack(self, state):
        a, b, turn = state
        return [{"pits": list(p), "store": s} for p, s in (a, b)], turn

    def to_move(self, state):
        return state[-1]

    def actions(self, state):
        sides, turn = self._unpack(state)
        return [i for i in range(PITS) if sides[turn]["pits"][i]]

    def result(self, state, action):
        sides, turn = self._unpack(state)
        hand = sides[turn]["pits"][action]
        sides[turn]["pits"][action] = 0
        side, pit = turn, action + 1
        again = False
        while hand:
            if pit == PITS:
                if side == turn:
                    sides[side]["store"] += 1
                    hand -= 1
                    again = hand == 0
                side = 1 - side
                pit = 0
                continue
            sides[side]["pits"][pit] += 1
            hand -= 1
            if hand == 0 and side == turn and sides[side]["pits"][pit] == 1:
                captured = sides[1 - side]["pits"][PITS - 1 - pit]
                if captured:
                    sides[1 - side]["pits"][PITS - 1 - pit] = 0
                    sides[side]["pits"][pit] = 0
                    sides[side]["store"] += captured + 1
            pit += 1
        next_turn = turn if again else 1 - turn
        if not any(sides[next_turn]["pits"]) or not any(sides[1 - next_turn]["pits"]):
            for s in sides:
                s["store"] += sum(s["pits"])
                s["pits"] = [0] * PITS
        return self._pack(sides, next_turn)

    def is_terminal(self, state):
        return not any(state[0][0]) and not any(state[1][0])

    def utility(self, state, player):
        return state[player][1] - state[1 - player][1]
