# inventory game. State is a tuple of strings and numbers made with str.format and split
from perfectplay import Game

class Potion(Game):
    def __init__(self):
        self.recipes = {}
        self.recipes["red"] = {"fire": 1, "water": 1}
        self.recipes["blue"] = {"water": 2}
        self.recipes["gold"] = {"fire": 2, "water": 1}
        self.points = {"red": 2, "blue": 1, "gold": 4}

    def initial(self):
        return "fire:4 water:5|0 0|0"

    def parse(self, state):
        stuff, scores, turn = state.split("|")
        bag = {}
        for item in stuff.split():
            name, number = item.split(":")
            bag[name] = int(number)
        points = [int(s) for s in scores.split(" ")]
        return bag, points, int(turn)

    def to_move(self, state):
        bag, points, turn = self.parse(state)
        return turn

    def can(self, bag, recipe):
        ok = True
        for thing in recipe:
            if bag[thing] < recipe[thing]:
                ok = False
        return ok

    def actions(self, state):
        bag, points, turn = self.parse(state)
        acts = []
        for name in self.recipes.keys():
            if self.can(bag, self.recipes[name]):
                acts.append(name)
        return acts

    def result(self, state, action):
        bag, points, turn = self.parse(state)
        for thing, n in self.recipes[action].items():
            bag[thing] = bag[thing] - n
        points[turn] = points[turn] + self.points[action]
        return "fire:{} water:{}|{} {}|{}".format(bag["fire"], bag["water"], points[0], points[1], 1 - turn)

    def is_terminal(self, state):
        return self.actions(state) == []

    def utility(self, state, player):
        bag, points, turn = self.parse(state)
        if player == 0:
            return points[0] - points[1]
        return points[1] - points[0]
