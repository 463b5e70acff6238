"""Separate Player and Board objects inside the state (frozen dataclasses in dataclasses), generator of dataclass moves, sum/max over attributes."""
from __future__ import annotations
from dataclasses import dataclass, replace
from typing import Iterator, Optional
from perfectplay import Game


@dataclass(frozen=True)
class Tile:
    value: int
    owner: Optional[int] = None


@dataclass(frozen=True)
class Row:
    tiles: tuple[Tile, ...]

    def __len__(self) -> int:
        return len(self.tiles)

    def __iter__(self) -> Iterator[Tile]:
        return iter(self.tiles)

    def __getitem__(self, index: int) -> Tile:
        return self.tiles[index]

    def claim(self, index: int, player: int) -> Row:
        tiles = list(self.tiles)
        tiles[index] = replace(tiles[index], owner=player)
        return Row(tuple(tiles))

    @property
    def free(self) -> list[int]:
        return [i for i, tile in enumerate(self) if tile.owner is None]


@dataclass(frozen=True)
class Match:
    row: Row
    player: int = 0


class TileClaim(Game):
    def initial(self) -> Match:
        return Match(Row(tuple(Tile(v) for v in (3, 1, 4, 1, 5))))

    def to_move(self, state: Match) -> int:
        return state.player

    def actions(self, state: Match) -> list[int]:
        free = state.row.free
        ends = {free[0], free[-1]}
        return sorted(ends)

    def result(self, state: Match, action: int) -> Match:
        return Match(state.row.claim(action, state.player), 1 - state.player)

    def is_terminal(self, state: Match) -> bool:
        return all(tile.owner is not None for tile in state.row)

    def utility(self, state: Match, player: int) -> float:
        mine = sum(t.value for t in state.row if t.owner == player)
        other = sum(t.value for t in state.row if t.owner not in (player, None))
        runs = sum(a.owner == b.owner == player for a, b in zip(state.row, state.row.tiles[1:]))
        runs -= sum(a.owner == b.owner == 1 - player for a, b in zip(state.row, state.row.tiles[1:]))
        return mine - other + runs / 2
