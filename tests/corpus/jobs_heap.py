"""Priority queues and binary search: scheduling jobs for profit."""
import bisect
import heapq
from perfectplay import Game


class Jobs(Game):
    """Two machines take jobs in turn: the machine that becomes free first chooses. Least makespan difference."""

    LENGTHS = [3, 1, 4, 1, 5]
    THRESHOLDS = [2, 5, 9]

    def initial(self):
        ready = [(0, 0), (0, 1)]
        heapq.heapify(ready)
        return tuple(ready), tuple(sorted(self.LENGTHS)), (0, 0)

    def to_move(self, state):
        return state[0][0][1]

    def actions(self, state):
        return sorted(set(state[1]))

    def result(self, state, action):
        ready, jobs, scores = state
        queue = list(ready)
        free, machine = heapq.heappop(queue)
        heapq.heappush(queue, (free + action, machine))
        left = list(jobs)
        where = bisect.bisect_left(left, action)
        left.pop(where)
        bonus = 3 - bisect.bisect(self.THRESHOLDS, free)
        new_scores = tuple(s + bonus * (i == machine) for i, s in enumerate(scores))
        return tuple(queue), tuple(left), new_scores

    def is_terminal(self, state):
        return len(state[1]) == 0

    def utility(self, state, player):
        finish = dict((m, t) for t, m in state[0])
        value = state[2][0] - state[2][1] + 0.5 * (finish[1] - finish[0])
        return value if player == 0 else -value
