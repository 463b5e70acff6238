"""A small mancala: pits as one tuple, sowing with modulo, another turn when the last seed is in the store."""
from perfectplay import Game, MAX, MIN

PITS = 3
STORE = {MAX: PITS, MIN: 2 * PITS + 1}
MINE = {MAX: range(0, PITS), MIN: range(PITS + 1, 2 * PITS + 1)}


class Mancala(Game):
    def initial(self):
        pits = [2] * (2 * PITS + 2)
        for store in STORE.values():
            pits[store] = 0
        return (tuple(pits), MAX)

    def to_move(self, state):
        _, player = state
        return player

    def actions(self, state):
        pits, player = state
        return [i for i in MINE[player] if pits[i] > 0]

    def result(self, state, action):
        pits, player = state
        pits = list(pits)
        other = MIN if player == MAX else MAX
        seeds, pits[action] = pits[action], 0
        at = action
        while seeds:
            at = (at + 1) % len(pits)
            if at == STORE[other]:
                continue
            pits[at] += 1
            seeds -= 1
        if at in MINE[player] and pits[at] == 1:
            across = 2 * PITS - at
            pits[STORE[player]] += pits[at] + pits[across]
            pits[at] = pits[across] = 0
        again = at == STORE[player]
        if not any(pits[i] for i in MINE[MAX]) or not any(pits[i] for i in MINE[MIN]):
            for side in (MAX, MIN):
                for i in MINE[side]:
                    pits[STORE[side]] += pits[i]
                    pits[i] = 0
        return tuple(pits), player if again else other

    def is_terminal(self, state):
        pits, _ = state
        return sum(pits) == pits[STORE[MAX]] + pits[STORE[MIN]]

    def utility(self, state, player):
        pits = state[0]
        other = 1 - player
        return pits[STORE[player]] - pits[STORE[other]]

    def evaluate(self, state, player):
        pits, _ = state
        return pits[STORE[player]] - pits[STORE[1 - player]]
