"""A duel of spells: a table of methods by word, mixed actions ("pass" or a pair)."""
from perfectplay import Game


class SpellDuel(Game):
    """Hit points, mana and a shield; the spells are methods in a table."""

    def __init__(self):
        self.costs = {"bolt": 2, "heal": 1, "shield": 1}
        self.table = {"bolt": self.bolt, "heal": self.heal, "shield": self.shield}

    def initial(self):
        return (4, 3, False), (5, 2, False), 0, 0

    def to_move(self, state):
        return state[2]

    def bolt(self, me, foe, strength):
        hp, mana, shielded = foe
        damage = 0 if shielded else strength + 1
        return me, (max(hp - damage, 0), mana, False)

    def heal(self, me, foe, strength):
        hp, mana, shielded = me
        return (min(hp + strength, 6), mana, shielded), foe

    def shield(self, me, foe, strength=1):
        return (me[0], me[1], True), foe

    def actions(self, state):
        me = state[state[2]]
        found = ["pass"]
        for spell in self.table:
            for strength in (1, 2):
                if self.costs[spell] * strength <= me[1] and not (spell == "shield" and strength > 1):
                    found.append((spell, strength))
        return found

    def result(self, state, action):
        turn, ply = state[2], state[3]
        me, foe = state[turn], state[1 - turn]
        if action == "pass":
            me = (me[0], me[1] + 1, me[2])
        else:
            spell, strength = action
            me = (me[0], me[1] - self.costs[spell] * strength, me[2])
            me, foe = self.table[spell](me, foe, strength)
        pair = (me, foe) if turn == 0 else (foe, me)
        return *pair, 1 - turn, ply + 1

    def is_terminal(self, state):
        return state[0][0] == 0 or state[1][0] == 0 or state[3] >= 7

    def utility(self, state, player):
        worth = state[0][0] - state[1][0]
        return worth if player == 0 else -worth

    def evaluate(self, state, player):
        (hp, mana, shield), (other_hp, other_mana, other_shield) = state[:2]
        guess = hp - other_hp + 0.25 * (mana - other_mana) + (0.5 if shield else 0) - (0.5 if other_shield else 0)
        return guess if player == 0 else -guess
