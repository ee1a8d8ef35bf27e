"""Teach use-multilingual what developers' prompts need, in Chinese, English and across, and pack it for Tacit.

python -m tuning.use --model FOLDER --out FILE [--epochs 10] [--rank 4] [--rate 0.002] [--share 0.85] [--seed 1]

FOLDER is where `tacit model get use-multilingual` put its files. It is taught as arctic-embed-s is (tuning/arctic.py),
with a likeness for silence for each pair of languages; `--share` is how much of what was learned is kept, since less
than all of it reads strange texts better. Needs PyTorch (tuning/requirements.txt).
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
import torch
from torch import nn
from torch.nn import functional

from tacit.index.embed.catalogue import CATALOGUE
from tacit.index.embed.use import UseEmbedder
from tuning import material
from tuning.packing import save, thin

if TYPE_CHECKING:
    from tuning.material import Asked, Bank

# The tables of the encoder that are taught; those with a number are one of several.
TAUGHT = (
    *("proj_W", "w1:0", "w1:1", "w1:2", "w2:0", "w2:1", "w2:2"),
    *("cnn_W", "d0", "d1", "p1", "d2", "p3", "d3"),
)
# n-gram order and left context of the three branches, as in the encoder's package.
ORDERS = ((2, 0), (3, 1), (5, 2))
WIDTH, BRANCH, CHUNKS = 512, 256, 17
TEMPERATURE = 0.05
NOTHING_COUNTS = 0.5
WARM_UP = 30
DROPPED = 0.1
# What was learned is written in levels from minus this to this.
MOST = 3


class Encoder(nn.Module):
    """The encoder in PyTorch, with thin tables beside those of its own."""

    def __init__(self, model: Any, rank: int) -> None:  # noqa: ANN401  a package without types
        super().__init__()
        self.model = model
        self.share = 1.0
        self.tables = {name: torch.tensor(_table(model, name)) for name in TAUGHT}
        self.one = nn.ParameterDict(
            {_key(n): nn.Parameter(torch.randn(t.shape[0], rank) * 0.02) for n, t in self.tables.items()}
        )
        self.other = nn.ParameterDict(
            {_key(n): nn.Parameter(torch.zeros(rank, t.shape[1])) for n, t in self.tables.items()}
        )
        self._known: dict[str, list[int]] = {}

    def change(self, name: str) -> torch.Tensor:
        """Return what was learned of a table."""
        return self.share * (self.one[_key(name)] @ self.other[_key(name)])

    def vectors(self, texts: list[str]) -> torch.Tensor:
        """Return the vectors of texts, of unit length; words are dropped now and then while it learns."""
        rows = [self._numbers(text) for text in texts]
        lengths = torch.tensor([len(row) for row in rows])
        flat = torch.tensor([number for row in rows for number in row])
        tables = {name: table + self.change(name) for name, table in self.tables.items()}
        states = self._states(flat, lengths, tables)
        if self.training:
            states = functional.dropout(states, DROPPED)
        owner = torch.repeat_interleave(torch.arange(len(rows)), lengths)
        summed = torch.zeros(len(rows), states.shape[1]).index_add(0, owner, states)
        mean = (summed @ tables["cnn_W"] + lengths[:, None] * torch.tensor(self.model.cnn_b)) / lengths[:, None].sqrt()
        first = functional.relu(mean @ tables["p1"] + functional.relu(mean @ tables["d0"]) @ tables["d1"])
        last = first @ tables["p3"] + functional.relu(first @ tables["d2"]) @ tables["d3"]
        return functional.normalize(torch.tanh(last), dim=-1)

    def _numbers(self, text: str) -> list[int]:
        if text not in self._known:
            self._known[text] = list(self.model.sp.encode(text, out_type=int, add_bos=True, add_eos=True))
        return self._known[text]

    def _states(self, flat: torch.Tensor, lengths: torch.Tensor, tables: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the state of each token, of all texts one after the other; windows end where their text ends."""
        model, count = self.model, len(flat)
        chunk = (flat % CHUNKS).numpy()
        stored = model.table[flat.numpy()].astype(numpy.float32) * model.scale[chunk, None] + model.lo[chunk, None]
        tokens = torch.tensor(stored)
        start = torch.repeat_interleave(torch.cumsum(lengths, 0) - lengths, lengths)
        end = start + torch.repeat_interleave(lengths, lengths)
        made = _normal(
            tokens @ tables["proj_W"] + torch.tensor(model.proj_b), model.ln_g_all, model.ln_b_all, model.eps
        )
        parts = [tokens]
        for number, (order, left) in enumerate(ORDERS):
            own = made[:, number * BRANCH : (number + 1) * BRANCH]
            place = torch.arange(count)[:, None] + torch.arange(order) - left
            place = torch.where((place >= start[:, None]) & (place < end[:, None]), place, count)
            once = own + _window(own, place, tables[f"w1:{number}"], model.b1[number])
            parts.append(once + _window(once, place, tables[f"w2:{number}"], model.b2[number]))
        return _normal(torch.cat(parts, 1), model.ln_g, model.ln_b, model.eps)


def _window(states: torch.Tensor, place: torch.Tensor, table: torch.Tensor, bias: Any) -> torch.Tensor:  # noqa: ANN401
    padded = torch.cat([states, torch.zeros(1, states.shape[1])])
    return functional.relu(padded[place].reshape(len(states), -1) @ table + torch.tensor(bias))


def _normal(states: torch.Tensor, gain: Any, bias: Any, epsilon: float) -> torch.Tensor:  # noqa: ANN401
    return functional.layer_norm(states, states.shape[1:], torch.tensor(gain), torch.tensor(bias), epsilon)


def _table(model: Any, name: str) -> Any:  # noqa: ANN401
    attribute, _, number = name.partition(":")
    found = getattr(model, attribute)
    return found[int(number)] if number else found


def _key(name: str) -> str:
    return name.replace(":", "_")


def likeness(encoder: Encoder, bank: Bank, asked: list[Asked]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return how alike each prompt is to each note, by the better of its name and its summary, and all vectors."""
    texts = [each.text for each in asked]
    names, summaries = ([form(note) for note in bank.notes] for form in (material.name, material.summary))
    vectors = encoder.vectors([*texts, *names, *summaries])
    prompts, short, long = vectors.split([len(texts), len(names), len(summaries)])
    return torch.maximum(prompts @ short.T, prompts @ long.T), vectors


def teach(encoder: Encoder, before: Encoder, known: list[Bank], epochs: int, rate: float) -> None:
    """Let an encoder learn from banks, one bank a step."""
    silence = nn.ParameterDict({str(at): nn.Parameter(torch.tensor(0.4)) for at in range(4)})
    learned = list(encoder.parameters())
    groups = [{"params": learned, "weight_decay": 0.01}, {"params": list(silence.parameters()), "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups)
    steps = epochs * len(known)
    queue: list[Bank] = []
    encoder.train()
    for step in range(steps):
        if not queue:
            queue = random.sample(known, len(known))
        bank = queue.pop()
        slope = min(1.0, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * step / steps))
        for group, fastest in zip(optimiser.param_groups, (rate, 1e-2), strict=True):
            group["lr"] = fastest * slope
        loss = _loss(encoder, before, bank, silence)
        loss.backward()
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        if (step + 1) % 40 == 0:
            print(f"  step {step + 1} of {steps}: loss {loss.item():.3f}", flush=True)
    encoder.eval()


def _loss(encoder: Encoder, before: Encoder, bank: Bank, silence: nn.ParameterDict) -> torch.Tensor:
    asked = bank.asked()
    alike, vectors = likeness(encoder, bank, asked)
    # Silence across languages is learned only where prompts that need nothing are in both.
    both = any(each.note == material.NOTHING and not each.same_language for each in asked)
    quiet = [
        silence[str(2 * bank.english + each.same_language)] if each.same_language or both else torch.tensor(-1e3)
        for each in asked
    ]
    choices = torch.cat([alike, torch.stack(quiet)[:, None]], 1) / TEMPERATURE
    wanted = torch.tensor([each.note if each.note != material.NOTHING else len(bank.notes) for each in asked])
    across = torch.tensor([not each.same_language for each in asked])
    counts = torch.where(wanted == len(bank.notes), NOTHING_COUNTS, 1.0)
    # English notes are read by another model first: what counts of them here is how Chinese prompts find them.
    counts = counts * (torch.where(across, 1.2, 0.3) if bank.english else torch.where(across, 1.5, 1.0))
    wrong = (functional.cross_entropy(choices, wanted, reduction="none") * counts).sum() / counts.sum()
    with torch.no_grad():
        _, old = likeness(before, bank, asked)
    return wrong + 3 * (1 - (vectors * old).sum(1)).mean()


def check(encoder: Encoder, title: str) -> None:
    """Print how the held-out banks fare, by pair of languages."""
    rows: dict[str, list[tuple[float, bool, bool]]] = {}
    for bank in material.read(held_out=True):
        asked = bank.asked()
        with torch.no_grad():
            best, places = likeness(encoder, bank, asked)[0].max(1)
        for score, place, each in zip(best, places, asked, strict=True):
            name = f"{'English' if bank.english else 'Chinese'} notes{'' if each.same_language else ', across'}"
            rows.setdefault(name, []).append((float(score), int(place) == each.note, each.note != material.NOTHING))
    print(title)
    for name, those in rows.items():
        material.report(name, those)


def _command() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rank", type=int, default=4)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--share", type=float, default=0.85)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random.seed(given.seed)
    torch.manual_seed(given.seed)
    model = UseEmbedder(replace(CATALOGUE["use-multilingual"], tuned=""), given.model).encoder
    before, encoder = Encoder(model, 1), Encoder(model, given.rank)
    before.eval()
    check(before, "before")
    teach(encoder, before, material.read(held_out=False), given.epochs, given.rate)
    check(encoder, "after")
    encoder.share = given.share
    check(encoder, f"after, a share of {given.share}")
    parts = {name: thin(encoder.change(name), given.rank, MOST) for name in TAUGHT}
    levels = {f"{n}.{part}": those[at] for n, those in parts.items() for part, at in (("one", 0), ("other", 2))}
    save(given.out, MOST, levels, **{f"{n}.step": those[1] for n, those in parts.items()})


if __name__ == "__main__":
    _command()
