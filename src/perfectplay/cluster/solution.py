"""Solution on many machines: every level by tasks, from the last back to the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from perfectplay.cluster import tasks
from perfectplay.cluster.discovery import place_file
from perfectplay.cluster.retrograde import ClusterRetrograde
from perfectplay.cluster.sharing import SharedSolution
from perfectplay.tablebase.file_names import ends_file, values_file


class ClusterSolution(SharedSolution):
    """The levels as they are solved by the workers of an executor; small ones are solved here."""

    def solve_level(self, number: int) -> None:
        """Solve a level all of whose successors are solved."""
        count = len(self.levels[number].rows)
        if count < self.few:
            super().solve_level(number)
            return
        pieces = self.manifest.setdefault("pieces", [])
        plan = self.planned()
        self.tell(number, count - sum(end - begin for begin, end in self.unsolved(number, count)))
        most = max(self.executor.store // 16, 1 << 16)  # a value and a remoteness are four bytes
        for begin, end in self.unsolved(number, most):
            solved = []
            for first, last, ref in self.shared(plan, number, begin, end, tasks.solve, tasks.choose, 2):
                solved.append(ref)
                self.tell(number, last - first)
            whole = (begin, end) == (0, count)
            written = {
                kind: self.executor.run(
                    tasks.write_codes,
                    plan,
                    self._dtype(kind) if whole else "<u2",
                    *(refs[place] for refs in solved),
                )[0]
                for place, kind in enumerate(("values", "ends"))
            }
            named = dict(zip(written, self.executor.get([*written.values()]), strict=True))
            if whole:
                self._place(number, named)
                return
            for kind, each in named.items():
                name = f"piece-{number:04}-{begin:012}-{kind}"
                place_file(self.build.directory, each.pop("file"), name)
                pieces.append({"file": name, "begin": begin, **each})
            if self.build.due:
                self.build.save()
        joined = {}
        for kind in ("values", "ends"):
            join = tasks.join_codes, plan, self._dtype(kind), self.pieces(kind)
            joined[kind] = self.executor.run(*join)[0]
        self._place(number, dict(zip(joined, self.executor.get([*joined.values()]), strict=True)))

    def _dtype(self, kind: str) -> str:
        return f"<u{self.manifest['value_bytes']}" if kind == "values" else "<u2"

    def _place(self, number: int, written: dict[str, dict[str, Any]]) -> None:
        """Give the files of a solved level their names."""
        for kind, name in (("values", values_file), ("ends", ends_file)):
            place_file(self.build.directory, written[kind].pop("file"), name(number))
        self.finished({number: written})

    def solve_together(self, group: Sequence[int]) -> None:
        """Solve levels that lead to each other."""
        if sum(len(self.levels[number].rows) for number in group) < self.few:
            super().solve_together(group)
        else:
            ClusterRetrograde(self, group).run()
