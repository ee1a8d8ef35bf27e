"""What every index must do, whatever it keeps its rows in; a backend's tests inherit from `IndexSuite`.

The backend gives the fixture `index`, and the fixture `another`: a second connection to the same index, or None.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy
import pytest

from tacit.index import vectors
from tacit.index.contract import Document, Filter, Nearness, Vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.index.contract import Index
    from tacit.index.embed.port import Vector

MODEL = "model:1"
LATIN = Nearness(latin_documents=True, latin_query=True)
ANY = Filter()
WORDS = [f"word{number}" for number in range(40)]


def document(
    key: str,
    words: str = "a b",
    *,
    digest: str = "1",
    status: str = "active",
    timing: str = "both",
    latin: bool = True,
    passages: tuple[str, ...] = ("name", "summary", "text"),
) -> Document:
    """A document of which only what a test says matters."""
    return Document(
        key=key,
        digest=digest,
        note_id=f"MEM-{key}",
        file=f"{key}.md",
        layer="L1",
        status=status,
        timing=timing,
        origin="project",
        title=f"Title of {key}",
        one_liner="It is so.",
        is_latin=latin,
        words=words,
        passages=passages,
    )


def unit(*numbers: float) -> Vector:
    """A vector of length one."""
    made: Vector = numpy.array(numbers, numpy.float32)
    return made / numpy.linalg.norm(made)


def keys(found: object) -> list[str]:
    """The keys of an answer, in its order."""
    return list(found)  # type: ignore[call-overload]


class IndexSuite:
    """The tests."""

    def test_new_index_is_empty(self, index: Index) -> None:
        """B-04: an index begins empty, and every question has an answer."""
        assert index.known() == {}
        assert index.find(["a"]) == {}
        assert index.by_keywords(["a"], 5, ANY) == {}
        assert index.coverage(["a"], ["a"]) == {}
        assert index.by_vector(MODEL, unit(1, 0), 5, ANY, LATIN).scores == {}
        assert index.without_vectors(MODEL, 5, latin=None) == []
        assert index.counts().documents == 0
        assert index.damage() == []

    def test_documents_come_and_go(self, index: Index) -> None:
        """B-04: what is put is known until it is dropped; unknown keys are dropped without a word."""
        index.update([document("a"), document("b")], [])
        assert index.known() == {"a": "1", "b": "1"}
        index.update([document("c")], ["a", "nobody"])
        assert index.known() == {"b": "1", "c": "1"}
        assert index.counts().documents == 2

    def test_a_document_is_replaced(self, index: Index) -> None:
        """B-04: the same key again takes the place of what was there, words and all."""
        index.update([document("a", "old")], [])
        index.update([document("a", "new", digest="2")], [])
        assert index.known() == {"a": "2"}
        assert keys(index.by_keywords(["old"], 5, ANY)) == []
        assert keys(index.by_keywords(["new"], 5, ANY)) == ["a"]
        assert index.counts().documents == 1

    def test_what_is_known_of_a_document(self, index: Index) -> None:
        """J-01: what is needed to say a note is in the index."""
        index.update([document("a", status="local", timing="pre", latin=False)], [])
        found = index.find(["a", "b"])
        assert keys(found) == ["a"]
        assert (found["a"].note_id, found["a"].file, found["a"].status) == ("MEM-a", "a.md", "local")
        assert (found["a"].timing, found["a"].is_latin, found["a"].title) == ("pre", False, "Title of a")

    def test_an_update_that_fails_changes_nothing(self, index: Index) -> None:
        """B-04: an update is one transaction."""
        index.update([document("a", "old")], [])

        def half() -> list[Document]:
            raise RuntimeError

        def documents() -> object:
            yield document("a", "new", digest="2")
            yield from half()

        with pytest.raises(RuntimeError):
            index.update(documents(), [])  # type: ignore[arg-type]
        assert index.known() == {"a": "1"}
        assert keys(index.by_keywords(["old"], 5, ANY)) == ["a"]

    def test_statistics_stay_right(self, index: Index, fresh: Callable[[], Index]) -> None:
        """B-04: after many updates every score is what a new index gives."""
        chance = random.Random(7)  # noqa: S311  seeded on purpose
        now: dict[str, Document] = {}
        for turn in range(120):
            put = [
                document(
                    f"d{chance.randrange(30)}",
                    " ".join(chance.choices(WORDS, k=chance.randrange(12))),
                    digest=str(turn),
                )
                for _ in range(chance.randrange(4))
            ]
            drop = [f"d{chance.randrange(30)}" for _ in range(chance.randrange(3))]
            index.update(put, drop)
            for key in drop:
                now.pop(key, None)
            now |= {each.key: each for each in put}
        again = fresh()
        again.update(now.values(), [])
        assert index.known() == again.known()
        for _ in range(40):
            asked = chance.sample(WORDS, 3)
            assert index.by_keywords(asked, 50, ANY) == again.by_keywords(asked, 50, ANY)
            assert index.coverage(asked, now) == again.coverage(asked, now)
        assert index.counts() == again.counts()
        assert index.damage() == []

    def test_keywords_find_the_best_first(self, index: Index) -> None:
        """F-02: rarer words and more of them come first; equal scores in the order of keys."""
        index.update(
            [document("b", "red blue"), document("a", "red blue"), document("c", "red red green"), document("d", "x")],
            [],
        )
        found = index.by_keywords(["green", "red"], 5, ANY)
        assert keys(found) == ["c", "a", "b"]
        assert keys(index.by_keywords(["green", "red"], 2, ANY)) == ["c", "a"]
        assert all(0 < each.score <= 1 and 0 < each.coverage <= 1 for each in found.values())

    @pytest.mark.parametrize(
        "token",
        [
            '"',
            '" OR *',
            "*",
            "NEAR(",
            "a AND b",
            "tokens:",
            "-",
            "^a",
            "a*",
            "(",
            "'",
            "'; DROP TABLE documents; --",
            "数",
            "c++",
            "%",
            "\\",
            "a\u0300",
            "👍",
        ],
    )
    def test_tokens_are_no_operators(self, index: Index, token: str) -> None:
        """F-05: whatever stands in a query, it is looked for and never understood as a command."""
        index.update([document("a", f"x {token.replace(' ', '_')}"), document("b", "y")], [])
        assert set(index.by_keywords([token, "x"], 5, ANY)) == {"a"}
        assert set(index.by_keywords([token.replace(" ", "_")], 5, ANY)) == {"a"}
        assert index.counts().documents == 2

    def test_whole_tokens_only(self, index: Index) -> None:
        """F-02: identifiers are found whole; a part is found if it is a token of its own."""
        index.update([document("a", "src/app.py no-verify 数据"), document("b", "src app")], [])
        assert keys(index.by_keywords(["src/app.py"], 5, ANY)) == ["a"]
        assert keys(index.by_keywords(["no-verify"], 5, ANY)) == ["a"]
        assert keys(index.by_keywords(["数"], 5, ANY)) == []
        assert keys(index.by_keywords(["src"], 5, ANY)) == ["b"]

    def test_many_tokens_and_many_keys(self, index: Index) -> None:
        """F-05: the longest query and the longest list of keys are answered."""
        index.update([document(f"d{number}", f"t{number}") for number in range(2500)], [])
        many = [f"t{number}" for number in range(2500)]
        assert len(index.by_keywords(many, 5, ANY)) == 5
        assert len(index.coverage(many[:3], [f"d{number}" for number in range(2500)])) == 2500

    @pytest.mark.parametrize(
        ("wanted", "expected"),
        [
            (Filter(), {"pre", "post", "both"}),
            (Filter(("pre", "both")), {"pre", "both"}),
            (Filter(("post", "both")), {"post", "both"}),
            (Filter(archived=True), {"pre", "post", "both", "old"}),
        ],
    )
    def test_filters_hold_for_both_paths(self, index: Index, wanted: Filter, expected: set[str]) -> None:
        """F-06: timing decides when a note may be said, and archived ones only come when asked for."""
        those = [document(timing, timing=timing) for timing in ("pre", "post", "both")]
        index.update([*those, document("old", status="archive")], [])
        index.put_vectors(MODEL, {key: Vectors([unit(1, 0)]) for key in index.known()})
        assert set(index.by_keywords(["a"], 9, wanted)) == expected
        assert set(index.by_vector(MODEL, unit(1, 0), 9, wanted, LATIN).scores) == expected

    def test_vectors_find_the_nearest(self, index: Index) -> None:
        """F-02: the best row of a document counts; the median and the number are those of all."""
        index.update([document(key) for key in "abc"], [])
        index.put_vectors(
            MODEL, {"a": Vectors([unit(0, 1), unit(3, 4)]), "b": Vectors([unit(1, 0)]), "c": Vectors([unit(-1, 0)])}
        )
        hits = index.by_vector(MODEL, unit(1, 0), 2, ANY, LATIN)
        assert hits.scores == {"b": pytest.approx(1.0, abs=1e-3), "a": pytest.approx(0.6, abs=1e-3)}
        assert hits.median == pytest.approx(0.3, abs=1e-3)
        assert hits.documents == 4

    def test_hubs_count_less(self, index: Index) -> None:
        """F-04: what is like every prompt is less of an answer, by the script of the query."""
        index.update([document("hub"), document("plain")], [])
        index.put_vectors(MODEL, {"hub": Vectors([unit(1, 0)], 0.5, 0.1), "plain": Vectors([unit(1, 0)], 0.1, 0.1)})
        near = Nearness(latin_documents=True, latin_query=True, hub_share=0.5, usual_hub=0.1)
        scores = index.by_vector(MODEL, unit(1, 0), 5, ANY, near).scores
        assert scores == {"hub": pytest.approx(0.8, abs=1e-3), "plain": pytest.approx(1.0, abs=1e-3)}
        other = Nearness(latin_documents=True, latin_query=False, hub_share=0.5, usual_hub=0.1)
        assert index.by_vector(MODEL, unit(1, 0), 5, ANY, other).scores["hub"] == pytest.approx(1.0, abs=1e-3)

    def test_one_script_at_a_time(self, index: Index) -> None:
        """F-02: each pair of scripts is read on its own."""
        index.update([document("en"), document("zh", latin=False)], [])
        index.put_vectors(MODEL, {key: Vectors([unit(1, 0)]) for key in ("en", "zh")})
        assert keys(index.by_vector(MODEL, unit(1, 0), 5, ANY, LATIN).scores) == ["en"]
        other = Nearness(latin_documents=False, latin_query=True)
        assert keys(index.by_vector(MODEL, unit(1, 0), 5, ANY, other).scores) == ["zh"]

    def test_which_scripts_there_are(self, index: Index, another: Index | None) -> None:
        """F-03: an index knows of each script whether it has a document, and hears of the first one at once."""
        assert not index.may_hold(latin=True)
        index.update([document("en")], [])
        assert (index.may_hold(latin=True), index.may_hold(latin=False)) == (True, False)
        index.update([document("more")], [])
        assert not index.may_hold(latin=False)
        (another or index).update([document("zh", latin=False)], [])
        assert index.may_hold(latin=False)

    def test_also_are_compared_in_any_case(self, index: Index) -> None:
        """F-03: what the words found gets its nearness too, if it may be found at all."""
        index.update([*(document(key) for key in "abc"), document("old", status="archive")], [])
        index.put_vectors(MODEL, {key: Vectors([unit(number, 1)]) for number, key in enumerate(["a", "b", "c", "old"])})
        found = index.by_vector(MODEL, unit(1, 0), 1, ANY, LATIN, also=["a", "old", "nobody"]).scores
        assert set(found) == {"c", "a"}
        assert set(index.by_vector(MODEL, unit(1, 0), 0, ANY, LATIN, also=["b"]).scores) == {"b"}

    def test_models_never_mix(self, index: Index) -> None:
        """B-04: vectors belong to the model that made them, and go when another version of it is used."""
        index.update([document("a"), document("b")], [])
        index.put_vectors("one:1", {"a": Vectors([unit(1, 0)])})
        index.put_vectors("two:1", {"b": Vectors([unit(0, 1, 0)])})
        assert keys(index.by_vector("one:1", unit(1, 0), 5, ANY, LATIN).scores) == ["a"]
        assert keys(index.by_vector("two:1", unit(0, 1, 0), 5, ANY, LATIN).scores) == ["b"]
        assert index.counts().vectors == {"one:1": 1, "two:1": 1}
        index.drop_older(["two:1"])
        assert index.counts().vectors == {"one:1": 1, "two:1": 1}
        index.drop_older([])
        assert index.counts().vectors == {"one:1": 1, "two:1": 1}
        index.drop_older(["one:2", "two:1"])
        assert index.counts().vectors == {"two:1": 1}
        assert index.by_vector("one:1", unit(1, 0), 5, ANY, LATIN).scores == {}

    def test_what_still_needs_vectors(self, index: Index) -> None:
        """F-09: documents without vectors of a model are known, newest first, by script, and changed ones again."""
        index.update([document("a"), document("b"), document("c", latin=False, passages=("n", "s", "x", "y"))], [])
        assert index.without_vectors(MODEL, 9, latin=None)[0] == ("c", ("n", "s", "x", "y"))
        assert [key for key, _ in index.without_vectors(MODEL, 9, latin=True)] == ["b", "a"]
        assert [key for key, _ in index.without_vectors(MODEL, 1, latin=None)] == ["c"]
        assert [index.missing_vectors(MODEL, latin=latin) for latin in (None, True, False)] == [3, 2, 1]
        index.put_vectors(
            MODEL, {"a": Vectors([unit(1, 0)]), "b": Vectors([unit(1, 0)]), "nobody": Vectors([unit(1, 0)])}
        )
        assert [key for key, _ in index.without_vectors(MODEL, 9, latin=None)] == ["c"]
        index.update([document("a", digest="2")], [])
        assert {key for key, _ in index.without_vectors(MODEL, 9, latin=None)} == {"a", "c"}
        assert index.missing_vectors(MODEL, latin=None) == 2
        index.put_vectors(MODEL, {"a": Vectors([unit(1, 0)]), "c": Vectors([unit(1, 0)])})
        assert index.without_vectors(MODEL, 9, latin=None) == []
        index.update([document("d")], [])
        assert [key for key, _ in index.without_vectors(MODEL, 9, latin=None)] == ["d"]

    def test_changes_of_others_are_seen(self, index: Index, another: Index | None) -> None:
        """F-08: a long-lived process sees what another one has changed, in words and in vectors."""
        if another is None:
            pytest.skip("nobody else can reach memory")
        index.update([document("a", "red"), document("b", "blue")], [])
        index.put_vectors(MODEL, {"a": Vectors([unit(1, 0)]), "b": Vectors([unit(0, 1)])})
        assert keys(another.by_vector(MODEL, unit(1, 0), 1, ANY, LATIN).scores) == ["a"]
        index.update([document("c", "green"), document("b", "red", digest="2")], ["a"])
        index.put_vectors(MODEL, {"c": Vectors([unit(1, 0)])})
        assert keys(another.by_vector(MODEL, unit(1, 0), 9, ANY, LATIN).scores) == ["c"]
        assert keys(another.by_keywords(["red"], 9, ANY)) == ["b"]
        another.put_vectors(MODEL, {"b": Vectors([unit(1, 1)])})
        assert set(index.by_vector(MODEL, unit(1, 0), 9, ANY, LATIN).scores) == {"b", "c"}
        assert another.known() == index.known()

    @pytest.mark.parametrize("dimension", [384, 500])
    def test_large_banks_agree_with_exact_ones(
        self, index: Index, fresh: Callable[[], Index], monkeypatch: pytest.MonkeyPatch, dimension: int
    ) -> None:
        """F-02: above the size where every cosine is computed, the best is the same; also after changes."""
        chance = numpy.random.default_rng(3)
        rows = {f"d{number:03d}": unit(*chance.normal(size=dimension)) for number in range(300)}
        old = {key for key in rows if key.endswith("9")}
        exact = fresh()
        for each in (exact, index):
            each.update([document(key, status="archive" if key in old else "active") for key in rows], [])
            each.put_vectors(MODEL, {key: Vectors([row, -row]) for key, row in rows.items()})
        asked = [unit(*(rows[key] + 0.3 * unit(*chance.normal(size=dimension)))) for key in sorted(rows)[:20]]
        wanted = [exact.by_vector(MODEL, vector, 1, ANY, LATIN, also=["d299", "d250"]) for vector in asked]
        monkeypatch.setattr(vectors, "EXACT_ROWS", 100)
        for vector, hits in zip(asked, wanted, strict=True):
            found = index.by_vector(MODEL, vector, 1, ANY, LATIN, also=["d299", "d250"])
            assert found.scores == pytest.approx(dict(hits.scores), abs=1e-3)
            assert found.documents == hits.documents
            assert found.median == pytest.approx(hits.median, abs=0.05)
        index.update([document("d000", digest="2")], ["d001"])
        index.put_vectors(MODEL, {"d000": Vectors([rows["d005"]])})
        found = index.by_vector(MODEL, rows["d005"], 2, ANY, LATIN)
        assert set(found.scores) == {"d000", "d005"}
        assert "d001" not in index.by_vector(MODEL, rows["d001"], 9, ANY, LATIN).scores
