"""The encoder of a BERT model in PyTorch, its 8-bit weights as they are, with what can be taught on top of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.index.embed.bert import WordPiece

# How many heads a model of a width has: arctic-embed-s, bge-small-zh.
HEADS = {384: 12, 512: 8}
TABLES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}
# Those that get thin tables beside them.
TAUGHT = ("query", "key", "value", "output")
NORMS = {"first": "attention.output.LayerNorm", "second": "output.LayerNorm"}
MOST_TOKENS = 160


class Weights:
    """The numbers of an ONNX file by name, and where they stand in it."""

    def __init__(self, path: Path) -> None:
        self.raw = path.read_bytes()
        graph = onnx.load_from_string(self.raw).graph
        self.stored: dict[str, Any] = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
        self._written = {each.name: each.SerializeToString() for each in graph.initializer}
        # Tables of weights have names of their own only in the nodes that use them.
        self.tables = {
            node.name.strip("/").replace("/", ".").removesuffix(".MatMul_quant"): node.input[1]
            for node in graph.node
            if node.op_type == "MatMulInteger"
        }

    def table(self, name: str) -> Any:  # noqa: ANN401  an array
        """Return a table of weights as real numbers."""
        stored = self.tables[name]
        return self.stored[stored].astype(numpy.float32) * self.stored[self.scale(name)]

    def scale(self, name: str) -> str:
        """Return the name of a table's scales: one a column, or one for all."""
        return self.tables[name].replace("_quantized", "_scale")

    def embedding(self, kind: str) -> torch.Tensor:
        """Return one of the three tables that tokens are looked up in."""
        name = f"embeddings.{kind}_embeddings.weight"
        table, scale, zero = (self.stored[f"{name}_{part}"] for part in ("quantized", "scale", "zero_point"))
        return torch.tensor((table.astype(numpy.float32) - float(zero)) * scale)

    def place(self, name: str) -> int:
        """Return where the numbers of an array stand in the file; they end what is written of it."""
        written = self._written[name]
        if self.raw.count(written) != 1:
            raise ValueError(name)
        numbers = numpy.ascontiguousarray(self.stored[name]).tobytes()
        return self.raw.find(written) + written.rindex(numbers)


class Linear(nn.Module):
    """A table and its bias; beside it two thin tables, if a rank is given."""

    def __init__(self, weights: Weights, name: str, rank: int) -> None:
        super().__init__()
        self.register_buffer("table", torch.tensor(weights.table(name)))
        self.bias = nn.Parameter(torch.tensor(weights.stored[f"{name}.bias"]))
        self.rank = rank
        if rank:
            self.one = nn.Parameter(torch.randn(self.table.shape[0], rank) * 0.02)
            self.other = nn.Parameter(torch.zeros(rank, self.table.shape[1]))

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        """Apply the table, and the thin ones."""
        made = given @ self.table + self.bias
        return made + 2 * (given @ self.one) @ self.other if self.rank else made


def _norm(weights: Weights, name: str) -> nn.LayerNorm:
    stored = [torch.tensor(weights.stored[f"{name}.{part}"]) for part in ("weight", "bias")]
    made = nn.LayerNorm(len(stored[0]), eps=1e-12)
    made.weight.data, made.bias.data = stored
    return made


class Layer(nn.Module):
    """One layer of the encoder."""

    def __init__(self, weights: Weights, number: int, rank: int) -> None:
        super().__init__()
        place = f"encoder.layer.{number}."
        for each, stored in TABLES.items():
            setattr(self, each, Linear(weights, place + stored, rank if each in TAUGHT else 0))
        for each, stored in NORMS.items():
            setattr(self, each, _norm(weights, place + stored))

    def forward(self, given: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Attend, then think."""
        count, length, width = given.shape
        heads = [
            part(given).view(count, length, HEADS[width], -1).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        ]
        seen = functional.scaled_dot_product_attention(*heads, attn_mask=mask)
        given = self.first(given + self.output(seen.transpose(1, 2).reshape(count, length, width)))
        return self.second(given + self.narrow(functional.gelu(self.wide(given))))


class Encoder(nn.Module):
    """The whole encoder. Queries are read as segment 1, which begins as a copy of segment 0, or behind a prefix."""

    def __init__(self, weights: Weights, pieces: WordPiece, rank: int = 0, prefix: str = "") -> None:
        super().__init__()
        self.pieces = pieces
        self.prefix = prefix
        for kind in ("word", "position"):
            self.register_buffer(kind, weights.embedding(kind))
        segments = weights.embedding("token_type")
        self.register_buffer("segment_0", segments[0])
        self.segment_1 = nn.Parameter(segments[0].clone())
        self.norm = _norm(weights, "embeddings.LayerNorm")
        layers = sum(name.endswith(TABLES["query"]) for name in weights.tables)
        self.layers = nn.ModuleList(Layer(weights, number, rank) for number in range(layers))

    def vectors(self, texts: list[str], *, query: bool, batch: int = 20) -> torch.Tensor:
        """Return the vectors of texts, of unit length."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        made: dict[int, torch.Tensor] = {}
        for start in range(0, len(order), batch):
            part = order[start : start + batch]
            made |= zip(part, self._batch([texts[at] for at in part], query=query), strict=True)
        return torch.stack([made[at] for at in range(len(texts))])

    def _batch(self, texts: list[str], *, query: bool) -> torch.Tensor:
        prefix = self.prefix if query else ""
        rows = [self.pieces.encode(prefix + text)[:MOST_TOKENS] for text in texts]
        length = max(map(len, rows))
        numbers = torch.tensor([row + [0] * (length - len(row)) for row in rows])
        mask = torch.tensor([[True] * len(row) + [False] * (length - len(row)) for row in rows])[:, None, None, :]
        segment = self.segment_1 if query and not prefix else self.segment_0
        states = self.norm(self.word[numbers] + self.position[:length] + segment)
        for layer in self.layers:
            states = layer(states, mask)
        return functional.normalize(states[:, 0], dim=-1)
