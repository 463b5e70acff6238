"""Stacking on a row: cells are strings that grow, the top letter counts; capital letters are MAX's."""
from perfectplay import Game


class StackRow(Game):
    """Two sizes on three cells; a larger piece may cover a smaller one; own the whole row to win."""

    SIZES = "abAB"

    def initial(self):
        return ("", "", ""), "ABab", True

    def to_move(self, state):
        return 0 if state[2] else 1

    def own(self, letter, upper):
        return letter.isupper() == upper

    def covers(self, letter, cell):
        return not cell or letter.lower() > cell[-1].lower()

    def actions(self, state):
        cells, stock, upper = state
        return [
            letter + str(i)
            for letter in stock
            if self.own(letter, upper)
            for i, cell in enumerate(cells)
            if self.covers(letter, cell)
        ]

    def result(self, state, action):
        cells, stock, upper = state
        letter, i = action[0], int(action[1:])
        cells = tuple(cell + letter if j == i else cell for j, cell in enumerate(cells))
        stock = stock.replace(letter, "", 1)
        return cells, stock, not upper

    def tops(self, cells):
        return "".join(cell[-1] if cell else "." for cell in cells)

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        tops = self.tops(state[0])
        mine = sum(letter.isupper() for letter in tops)
        theirs = sum(letter.islower() for letter in tops)
        return mine - theirs if player == 0 else theirs - mine
