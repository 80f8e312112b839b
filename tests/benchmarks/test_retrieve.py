"""The measure of text extraction counts words as documented, with the processes that read pages."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.retrieve import measure, overlap


def test_words_are_counted_as_often_as_they_are_said() -> None:
    assert overlap("a b b", "b a c d") == (2 / 3, 2 / 4)
    assert overlap("", "a") == (0.0, 0.0)
    assert overlap("!", "") == (1.0, 1.0)


async def test_addresses_are_no_words_and_an_unreadable_page_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "Coffee is brewed from roasted beans, and it is drunk hot or cold wherever people meet to talk of tea. " * 9
    page = f"<html><body><article><p>{said}<a href='/very-long'>More</a> of it.</p></article></body></html>"
    wanted = {"1": {"articleBody": f"{said} More of it.", "url": "https://example.org/"}, "2": {"articleBody": "a"}}
    (tmp_path / "1.html.gz").write_bytes(gzip.compress(page.encode()))
    (tmp_path / "2.html.gz").write_bytes(gzip.compress(b"<script>only()</script>"))
    (tmp_path / "ground-truth.json").write_text(json.dumps(wanted))
    monkeypatch.setenv("DATA", str(tmp_path))
    figures = await measure()
    assert {name: figures[name] for name in ("pages", "word_f1", "failures")} == {
        "pages": 2,
        "word_f1": 0.5,
        "failures": 1,
    }


async def test_without_data_it_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATA", raising=False)
    with pytest.raises(SystemExit, match="DATA"):
        await measure()
