"""Boards: how the positions of a tree look, as text and where possible as a scene."""

from __future__ import annotations

from typing import Any

from perfectplay.exercise.tree import Tree
from perfectplay.game import MAX, Game
from perfectplay.games import ExplicitTree
from perfectplay.scene import Scene, scene_faults, scene_json


class _NoRules:
    """Rules of which nothing is asked: a picture on a sheet is not clicked."""

    def to_move(self, state: Any) -> int:
        """Anyone."""
        return MAX

    def actions(self, state: Any) -> list[Any]:
        """None."""
        return []

    def chances(self, state: Any) -> list[tuple[Any, float]]:
        """None."""
        return []

    def is_terminal(self, state: Any) -> bool:
        """Nobody moves."""
        return True

    def action_name(self, action: Any) -> str:
        """The action itself."""
        return str(action)


def add_boards(game: Game[Any, Any], tree: Tree) -> None:
    """Give every node its board; a game that is a tree has none but itself."""
    if isinstance(game, ExplicitTree):
        return
    for node in tree.nodes.values():
        node.text = str(game.render(node.state))
        scene = game.scene(node.state)
        if isinstance(scene, Scene):
            still = scene._replace(clicks=())
            node.scene = None if scene_faults(_NoRules(), node.state, still) else still


def still_json(scene: Scene | None) -> dict[str, Any] | None:
    """A scene as JSON has it, to be looked at only."""
    return None if scene is None else scene_json(_NoRules(), scene)
