"""The same work on many machines, by Ray: `Cluster` builds tablebases and spreads independent questions."""

from perfectplay.cluster.cluster import Cluster

__all__ = ["Cluster"]
