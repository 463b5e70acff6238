"""None as the passing action, Optional in states, `is None` everywhere."""
from typing import Optional
from perfectplay import Game


class Bidding(Game):
    """An auction: raise by one or two, or pass (None). Highest bidder pays for a good worth 7."""

    WORTH = 7

    def initial(self):
        return (None, None, 0, None)  # bids of both, whose turn, who passed

    def to_move(self, state):
        return state[2]

    def high(self, state) -> Optional[int]:
        bids = [bid for bid in state[:2] if bid is not None]
        return max(bids) if bids else None

    def actions(self, state) -> list[Optional[int]]:
        high = self.high(state)
        base = 0 if high is None else high
        return [None] + [base + step for step in (1, 2) if base + step <= 9]

    def result(self, state, action):
        first, second, turn, passed = state
        if action is None:
            return first, second, 1 - turn, turn
        if turn == 0:
            first = action
        else:
            second = action
        return first, second, 1 - turn, None

    def is_terminal(self, state):
        return state[3] is not None

    def utility(self, state, player):
        first, second, turn, passed = state
        high = self.high(state)
        if high is None:
            gain = 0 if passed is None else (-1 if passed == 0 else 1)
        else:
            winner = 0 if first == high else 1
            gain = (self.WORTH - high) * (1 if winner == 0 else -1)
        return gain if player == 0 else -gain
