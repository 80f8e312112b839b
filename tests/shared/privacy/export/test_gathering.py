"""Each part has a README in the person's language."""

import pytest

from shared.base.wording.words import languages
from shared.privacy.export.gathering import README, readme
from shared.privacy.export.sources import SOURCES
from tests.shared.exports import ExportHarness, somebody


@pytest.mark.parametrize("language", languages())
def test_every_file_is_explained_in_every_language(language: str) -> None:
    told = readme(language, {source.name: number for number, source in enumerate(SOURCES, start=1)})
    assert all(f"{source.name}: " in told for source in SOURCES)
    assert f"({len(SOURCES)})" in told


def test_what_is_not_there_is_not_explained() -> None:
    assert "memories:" not in readme("en", {"memories": 0, "about": 1})


async def test_of_somebody_of_whom_nothing_is_kept_there_is_one_line(export_harness: ExportHarness) -> None:
    (files,) = await export_harness.gathered(somebody("Nobody"))
    assert sorted(files) == [README, "about.jsonl"]
