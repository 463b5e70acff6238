"""Iterators, toString, compareTo, a singleton and private name mangling."""
from functools import total_ordering
from perfectplay import Game


@total_ordering
class Stack:
    def __init__(self, height, colour):
        self.__height = height
        self.__colour = colour

    @property
    def height(self):
        return self.__height

    @property
    def colour(self):
        return self.__colour

    def lower(self, by):
        return Stack(self.__height - by, 1 - self.__colour)

    def __eq__(self, other):
        return (self.__height, self.__colour) == (other.height, other.colour)

    def __lt__(self, other):
        return (self.__height, self.__colour) < (other.height, other.colour)

    def __hash__(self):
        return 31 * self.__height + self.__colour

    def __str__(self):
        return f"{self.__height}{'bw'[self.__colour]}"

    __repr__ = __str__


class Table:
    def __init__(self, stacks, turn):
        self.stacks = tuple(sorted(stacks))
        self.turn = turn

    def __iter__(self):
        return iter(self.stacks)

    def __len__(self):
        return len(self.stacks)

    def __getitem__(self, index):
        return self.stacks[index]

    def __eq__(self, other):
        return self.turn == other.turn and self.stacks == other.stacks

    def __hash__(self):
        return hash((self.stacks, self.turn))

    def __repr__(self):
        return f"Table({self.stacks}, {self.turn})"


class ColourStacks(Game):
    """Lower a stack of your colour by one or two; it changes colour. Who cannot move loses."""

    def initial(self):
        return Table([Stack(3, 0), Stack(2, 1), Stack(4, 0), Stack(3, 1)], 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        found = []
        for index, stack in enumerate(state):
            if stack.colour == state.turn:
                for by in (1, 2):
                    if stack.height >= by:
                        found.append((index, by))
        return found

    def result(self, state, action):
        index, by = action
        stacks = [s for s in state]
        stacks[index] = stacks[index].lower(by)
        return Table((s for s in stacks if s.height > 0), 1 - state.turn)

    def is_terminal(self, state):
        return not any(s.colour == state.turn for s in state)

    def utility(self, state, player):
        return -1 if state.turn == player else 1
