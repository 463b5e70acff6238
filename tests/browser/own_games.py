"""Games as people write them: without a drawn board, with text that looks like markup, and a long one."""

from perfectplay import MAX, MIN, Game


class Letters(Game):
    """Take turns to write a letter; who writes the third b wins, and six letters without one are a tie.

    A state is a word: strings do not compile.
    """

    def initial(self):
        return ""

    def to_move(self, state):
        return MAX if len(state) % 2 == 0 else MIN

    def actions(self, state):
        return [] if self.is_terminal(state) else ["a", "b"]

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state.count("b") == 3 or len(state) == 6

    def utility(self, state, player):
        if state.count("b") < 3:
            return 0
        winner = MAX if len(state) % 2 == 1 else MIN
        return 1 if player == winner else -1

    def render(self, state):
        return f"[{state:_<6}]"


class Hostile(Letters):
    """<script>window.wounded = 1</script><img src=x onerror="window.wounded = 2"> is a rule."""

    def render(self, state):
        return f'<script>window.wounded = 3</script><img src=x onerror="window.wounded = 4">{state}'

    def action_name(self, action):
        return f"<b>{action}</b>"


class Long(Letters):
    """Take turns to write one of five letters, sixty of them: nobody sees the end of that."""

    def actions(self, state):
        return [] if self.is_terminal(state) else list("abcde")

    def is_terminal(self, state):
        return len(state) == 60

    def utility(self, state, player):
        lead = state.count("a") - state.count("b")
        return lead if player == MAX else -lead

    def evaluate(self, state, player):
        print(end="")  # which keeps it from being compiled
        return self.utility(state, player) / 2


class Ring(Game):
    """Walk round a ring of three for as long as you like, or give up."""

    def initial(self):
        return 0, MAX

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [1, 2] if state[0] < 3 else []

    def result(self, state, action):
        return (state[0] + 1) % 3 if action == 1 else 3, MIN if state[1] == MAX else MAX

    def is_terminal(self, state):
        return state[0] == 3

    def utility(self, state, player):
        return 1 if player == state[1] else -1

    def action_name(self, action):
        return ("walk", "give up")[action - 1]
