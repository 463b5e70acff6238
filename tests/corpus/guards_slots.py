"""Guards on a ring of posts: states are objects with slots, copied and then changed, and the moves are sets of steps."""

from copy import copy, deepcopy

from perfectplay import MAX, MIN, Game

POSTS = 6


class Watch:
    __slots__ = ("posts", "lit", "turn", "left")

    def __init__(self, posts, lit, turn, left):
        self.posts = posts
        self.lit = lit
        self.turn = turn
        self.left = left

    def _key(self):
        return self.posts, self.lit, self.turn, self.left

    def __eq__(self, other):
        return isinstance(other, Watch) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())


def seen_from(post):
    return {(post - 1) % POSTS, post, (post + 1) % POSTS}


class Guards(Game):
    """Walk one or two posts on, and light where you come to if nobody sees it; who lights more has won."""

    def initial(self):
        return Watch((0, POSTS // 2), frozenset(), MAX, 7)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        other = state.posts[1 - state.turn]
        here = state.posts[state.turn]
        return [step for step in (-1, 1, 2) if (here + step) % POSTS != other]

    def result(self, state, action):
        new = copy(state) if state.left % 2 else None
        if new is None:
            new = deepcopy(state)
        posts = list(state.posts)
        posts[state.turn] = (posts[state.turn] + action) % POSTS
        after = self.lighted(state, posts[state.turn])
        after.posts = tuple(posts)
        after.turn = MIN if new.turn == MAX else MAX
        after.left -= 1
        return after

    def lighted(self, state, post):
        watch = copy(state)
        dark = set(range(POSTS)).difference(*map(seen_from, state.posts))
        if post in dark or not state.lit:
            watch.lit = state.lit | {(post, state.turn)}
        return watch

    def is_terminal(self, state):
        return not state.left

    def utility(self, state, player):
        lights = [who for _, who in state.lit]
        return lights.count(player) - lights.count(1 - player)
