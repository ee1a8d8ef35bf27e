"""One small adapter for each memory that is measured beside Tacit, all behind one contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.peers.basic_memory import BasicMemory
from benchmarks.peers.mcp_memory_service import McpMemoryService
from benchmarks.peers.memsearch import Memsearch
from benchmarks.peers.server_memory import ServerMemory
from benchmarks.peers.tacit import Tacit, TacitWithModels

if TYPE_CHECKING:
    from benchmarks.peers.contract import Peer

# In the order of the tables: ours first.
PEERS: tuple[type[Peer], ...] = (Tacit, TacitWithModels, ServerMemory, McpMemoryService, BasicMemory, Memsearch)
