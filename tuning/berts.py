"""Teach arctic-embed-s or bge-small-zh what developers' prompts need, and pack what it learned for Tacit.

python -m tuning.berts --model FOLDER --out FILE [--epochs 3] [--rank 4] [--rate 0.0007] [--share 1] [--seed 1]

FOLDER is where `tacit model get` put the model's files, and has the model's name. For each prompt the right note of its
bank must come before all others, and before *nothing*: a fixed likeness that is learned too and that stands for
silence. A prompt that needs no note must stay below it. Vectors are held near those that the model had before, with its
long query prefix, which is no longer needed. `--share` is how much of what was learned is kept: less than all of it
reads long talks a little better and knows less of when a note is needed. Takes half an hour on two cores; needs PyTorch
and onnx (tuning/requirements.txt).
"""

from __future__ import annotations

import argparse
import math
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
import torch
from torch import nn
from torch.nn import functional

from tacit.index.embed.bert import WordPiece
from tacit.index.embed.cohort import COHORT_CJK, COHORT_LATIN
from tuning import material
from tuning.bert import NORMS, TABLES, TAUGHT, Encoder, Weights
from tuning.material import Asked
from tuning.packing import quantised, save, thin

if TYPE_CHECKING:
    from tuning.material import Bank

# What each model wanted before a query until now, and whether it reads English.
PREFIX = {
    "arctic-embed-s": "Represent this sentence for searching relevant passages: ",
    "bge-small-zh": "为这个句子生成表示以用于检索相关文章：",
}
ENGLISH = {"arctic-embed-s": True, "bge-small-zh": False}
PROMPTS_A_STEP = 40
# Prompts of other teams, and prompts about anything, that come along in every step and need no note of the bank.
STRANGERS, ANYTHING = 5, 3
TEMPERATURE = 0.05
WARM_UP = 20
# What a prompt that needs nothing counts beside one that needs a note.
NOTHING_COUNTS = 0.5
# How often a note is read by a part of its summary, so that parts stay readable, and inside a long text if it has one.
BY_PARTS = 0.25
AT_LENGTH = 0.4
# What was learned is written in levels from minus this to this: more of them gave nothing.
MOST = 2
# How much of what was learned is written: of some tables the larger half, and of some biases nothing. Those of keys add
# the same to all that a word is compared with; the others held-out banks do not miss.
RANKS = {"query": 2, "key": 2}
UNKEPT = ("key", "wide")


def shown(note: dict[str, Any]) -> str:
    """Return a note as the model may meet it: its summary, now and then a part of it, or a long text that has it."""
    if "long" in note and random.random() < AT_LENGTH:
        return str(note["long"])
    if random.random() >= BY_PARTS:
        return material.summary(note)
    return random.choice([f"{note['title']}. {note['one_liner']}", note["one_liner"], material.name(note)])


class Known:
    """The vectors that texts had before, each made once."""

    def __init__(self, before: Encoder) -> None:
        self._before = before
        self._made: dict[tuple[str, bool], torch.Tensor] = {}

    def vectors(self, texts: list[str], *, query: bool) -> torch.Tensor:
        """Return the vectors of texts."""
        missing = [text for text in dict.fromkeys(texts) if (text, query) not in self._made]
        if missing:
            with torch.no_grad():
                made = self._before.vectors(missing, query=query)
            self._made |= {(text, query): vector for text, vector in zip(missing, made, strict=True)}
        return torch.stack([self._made[text, query] for text in texts])


def teach(encoder: Encoder, before: Encoder, known: list[Bank], epochs: float, rate: float) -> None:
    """Let an encoder learn from banks, one part of a bank's prompts a step."""
    silence = nn.Parameter(torch.tensor(0.68))
    old = Known(before)
    learned = list(encoder.parameters())
    optimiser = torch.optim.AdamW([{"params": learned}, {"params": [silence]}], weight_decay=0.0)
    parts = [(bank, asked) for bank in known for asked in _parts(bank)]
    steps = int(epochs * len(parts))
    queue: list[tuple[Bank, list[Asked]]] = []
    for step in range(steps):
        if not queue:
            queue = [(bank, asked) for bank in known for asked in _parts(bank)]
            random.shuffle(queue)
        bank, asked = queue.pop()
        asked = asked + _strangers(bank, known)
        slope = min(1.0, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * step / steps))
        for group, fastest in zip(optimiser.param_groups, (rate, 1e-2), strict=True):
            group["lr"] = fastest * slope
        loss = _loss(encoder, old, bank, asked, silence)
        loss.backward()
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        if (step + 1) % 20 == 0:
            print(f"  step {step + 1} of {steps}: loss {loss.item():.3f}, silence at {silence.item():.3f}", flush=True)


def _parts(bank: Bank) -> list[list[Asked]]:
    asked = [each for each in bank.asked() if each.same_language]
    random.shuffle(asked)
    return [asked[start : start + PROMPTS_A_STEP] for start in range(0, len(asked), PROMPTS_A_STEP)]


def _strangers(bank: Bank, known: list[Bank]) -> list[Asked]:
    others = [each for other in random.sample(known, 3) if other is not bank for each in other.asked()]
    texts = [each.text for each in random.sample([each for each in others if each.same_language], STRANGERS)]
    texts += random.sample(COHORT_LATIN if bank.english else COHORT_CJK, ANYTHING)
    return [Asked(text, material.NOTHING, same_language=True) for text in texts]


def _loss(encoder: Encoder, old: Known, bank: Bank, asked: list[Asked], silence: nn.Parameter) -> torch.Tensor:
    texts, shown_as = [each.text for each in asked], [shown(note) for note in bank.notes]
    notes = encoder.vectors(shown_as, query=False)
    prompts = encoder.vectors(texts, query=True)
    choices = torch.cat([prompts @ notes.T, silence.expand(len(asked), 1)], 1) / TEMPERATURE
    wanted = torch.tensor([each.note if each.note != material.NOTHING else len(bank.notes) for each in asked])
    counts = torch.where(wanted == len(bank.notes), NOTHING_COUNTS, 1.0)
    wrong = (functional.cross_entropy(choices, wanted, reduction="none") * counts).sum() / counts.sum()
    moved = [
        (1 - (new * old.vectors(given, query=query)).sum(1)).mean()
        for new, given, query in ((prompts, texts, True), (notes, shown_as, False))
    ]
    return wrong + sum(moved)


def check(encoder: Encoder, title: str, held_out: list[Bank]) -> None:
    """Print how the held-out banks fare."""
    rows = []
    for bank in held_out:
        asked = [each for each in bank.asked() if each.same_language]
        with torch.no_grad():
            notes = encoder.vectors([material.summary(note) for note in bank.notes], query=False)
            prompts = encoder.vectors([each.text for each in asked], query=True)
        best, places = (prompts @ notes.T).max(1)
        rows += [
            (float(score), int(place) == each.note, each.note != material.NOTHING)
            for score, place, each in zip(best, places, asked, strict=True)
        ]
    material.report(title, rows)


def keep(encoder: Encoder, before: Encoder, share: float) -> None:
    """Let an encoder have no more than a share of what it learned."""
    old = dict(before.named_parameters())
    with torch.no_grad():
        for name, numbers in encoder.named_parameters():
            if name in old:
                numbers.copy_(old[name] + share * (numbers - old[name]))
            elif name.endswith(".other"):
                numbers.mul_(share)


def pack(encoder: Encoder, before: Encoder, weights: Weights, path: Path) -> None:
    """Write what was learned: steps of a few levels, and the places in the model's file that they belong to."""
    at, at_scale, scale_length, one, step, other = [], [], [], [], [], []
    at_bias, length, bias_step, bias = [], [], [], []
    names = {"norm.weight": "embeddings.LayerNorm.weight", "norm.bias": "embeddings.LayerNorm.bias"}
    for number, layer in enumerate(encoder.layers):
        place = f"encoder.layer.{number}."
        for each in TAUGHT:
            table = getattr(layer, each)
            rows, size, columns = thin(2 * table.one @ table.other, table.rank, MOST)
            rows[:, RANKS.get(each, table.rank) :] = columns[RANKS.get(each, table.rank) :] = 0
            one.append(rows.T)
            step.append(size)
            other.append(columns)
            scale = weights.scale(place + TABLES[each])
            at.append(weights.place(weights.tables[place + TABLES[each]]))
            at_scale.append(weights.place(scale))
            scale_length.append(weights.stored[scale].size)
        kept = {each: stored for each, stored in TABLES.items() if each not in UNKEPT}
        names |= {f"layers.{number}.{each}.bias": f"{place}{stored}.bias" for each, stored in kept.items()}
        names |= {
            f"layers.{number}.{each}.{part}": f"{place}{stored}.{part}"
            for each, stored in NORMS.items()
            for part in ("weight", "bias")
        }
    new, old = dict(encoder.named_parameters()), dict(before.named_parameters())
    for own, stored in names.items():
        levels, size = quantised((new[own] - old[own]).detach(), 0, MOST)
        at_bias.append(weights.place(stored))
        length.append(levels.size)
        bias_step.append(float(size))
        bias.append(levels)
    segments = "embeddings.token_type_embeddings.weight"
    scale, zero = (float(weights.stored[f"{segments}_{part}"]) for part in ("scale", "zero_point"))
    row = numpy.rint(encoder.segment_1.detach().numpy() / scale + zero).clip(0, 255).astype(numpy.uint8)
    save(
        path,
        MOST,
        {"one": numpy.stack(one), "other": numpy.stack(other), "bias": numpy.concatenate(bias)},
        at=numpy.array(at, numpy.int32),
        at_scale=numpy.array(at_scale, numpy.int32),
        scale_length=numpy.array(scale_length, numpy.int32),
        step=numpy.stack(step),
        at_bias=numpy.array(at_bias, numpy.int32),
        bias_length=numpy.array(length, numpy.int32),
        bias_step=numpy.array(bias_step, numpy.float32),
        at_segment=numpy.array([weights.place(f"{segments}_quantized") + row.size], numpy.int32),
        segment=row,
    )


def _command() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--rank", type=int, default=4)
    parser.add_argument("--rate", type=float, default=7e-4)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random.seed(given.seed)
    torch.manual_seed(given.seed)
    weights = Weights(given.model / "model.onnx")
    pieces = WordPiece((given.model / "vocab.txt").read_text(encoding="utf-8"))
    english = ENGLISH[given.model.name]
    known, held_out = (material.read(held_out=out, english=english) for out in (False, True))
    before = Encoder(weights, pieces, prefix=PREFIX[given.model.name])
    encoder = Encoder(weights, pieces, given.rank)
    check(before, "before", held_out)
    teach(encoder, before, known, given.epochs, given.rate)
    check(encoder, "after", held_out)
    keep(encoder, before, given.share)
    check(encoder, f"after, a share of {given.share}", held_out)
    pack(encoder, before, weights, given.out)


if __name__ == "__main__":
    _command()
