"""Words turned and mirrored: reversed, slices with steps, canonical by min of symmetries, ord/chr."""
from perfectplay import Game


class Necklace(Game):
    """A ring of beads; a move raises a bead's letter to the next one if no neighbour has that letter."""

    BEADS = 5
    LAST = "d"

    def initial(self):
        return "a" * self.BEADS + "/0"

    def to_move(self, state):
        return int(state[-1])

    def actions(self, state):
        ring = state.rpartition("/")[0]
        for i, bead in enumerate(ring):
            if bead >= self.LAST:
                continue
            up = chr(ord(bead) + 1)
            if ring[i - 1] != up and ring[(i + 1) % len(ring)] != up:
                yield i

    def result(self, state, action):
        ring, _, turn = state.partition("/")
        up = chr(ord(ring[action]) + 1)
        ring = ring[:action] + up + ring[action + 1:]
        return f"{ring}/{1 - int(turn)}"

    def is_terminal(self, state):
        return not any(True for _ in self.actions(state))

    def utility(self, state, player):
        return -1 if self.to_move(state) == player else 1

    def canonical(self, state):
        ring, turn = state.split("/")
        turned = [ring[i:] + ring[:i] for i in range(len(ring))]
        mirrored = [t[::-1] for t in turned]
        return min(turned + mirrored) + "/" + turn

    def order(self, state, action):
        return -ord(state[action])
