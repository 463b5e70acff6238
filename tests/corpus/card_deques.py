"""deque with rotate, appendleft, maxlen; a card queue war."""
from collections import deque
from perfectplay import Game


class CardQueue(Game):
    """Each plays the top of the queue or rotates it; higher card takes the trick."""

    def initial(self):
        return (3, 1, 4), (2, 5, 0), None, (0, 0), 0

    def to_move(self, state):
        return state[4]

    def actions(self, state):
        mine = state[state[4]]
        return ["play"] + [f"rotate{k}" for k in range(1, len(mine))]

    def result(self, state, action):
        hands = [deque(state[0]), deque(state[1])]
        lead, scores, turn = state[2:]
        hand = hands[turn]
        if action.startswith("rotate"):
            hand.rotate(-int(action[len("rotate"):]))
        card = hand.popleft()
        if lead is None:
            lead = card
        else:
            winner = turn if card > lead else 1 - turn
            scores = tuple(s + (1 + abs(card - lead) if i == winner else 0) for i, s in enumerate(scores))
            if hands[winner]:
                hands[winner].appendleft(hands[winner].pop())
            lead = None
        return (*map(tuple, hands), lead, scores, 1 - turn)

    def is_terminal(self, state):
        return not state[0] and not state[1]

    def utility(self, state, player):
        return state[3][player] - state[3][player ^ 1]
