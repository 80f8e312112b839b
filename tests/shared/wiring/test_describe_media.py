"""The parts of describing files, built in an interpreter of their own."""

import json
from ast import literal_eval
from pathlib import Path

from shared.upkeep.files import DescriptionSource
from tests.shared.wiring.program import DESCRIBE, run, run_alone

READER = {"LULL_READER_URL": "http://reader.example", "LULL_MEDIA_BUCKET": "b"}
#: Google's client imports pillow where it is installed: here it is, in the cloud it is not
MADE = """
import asyncio, sys
sys.modules["PIL"] = None
from shared.wiring import describe_media as parts

async def main() -> None:
    made = parts.describer()
    assert made is parts.describer()
    one, other = made.source(), made.source()
    assert one.sources[3] is not other.sources[3], "each run has a budget of its own"
    assert one.sources[4] is other.sources[4]
    last = one.sources[4]
    print([type(source).__name__ for source in one.sources], one.sources[3].left, sorted(made.agents))
    if hasattr(last, "model"):
        print(last.model, sorted(last.downloads), last.blobs is not None)
    print(made, last)

asyncio.run(main())
heavy = {"av", "thorvg_python", "pypdfium2", "pint"}
print(sorted(heavy & {name.split(".")[0] for name in sys.modules}))
"""
CHAIN = "['CuratedSource', 'CuratedEditSource', 'StoredSource', 'RunLimitSource', '{}'] {} ['lull']"
LINKS = {
    "CuratedSource": DescriptionSource.CURATED,
    "CuratedEditSource": DescriptionSource.CURATED,
    "StoredSource": DescriptionSource.KEPT,
    "RunLimitSource": DescriptionSource.BUDGET,
    "ModelSource": DescriptionSource.MODEL,
}


def test_it_is_made_once_of_its_settings_and_without_what_decodes() -> None:
    done = run_alone(MADE, DESCRIBE | READER | {"LULL_MEDIA_BUDGET": "3"})
    assert done.stderr == ""
    first, second, _, last = done.stdout.splitlines()
    assert (first, second, last) == (CHAIN.format("ModelSource", 3), "gemini-3.5-flash-lite ['lull'] True", "[]")
    assert "123:token" not in done.stdout
    assert "the-key" not in done.stdout


def test_the_panel_shows_the_sources_in_the_order_in_which_they_are_asked() -> None:
    made = literal_eval(CHAIN.partition("]")[0].format("ModelSource") + "]")
    links = list(dict.fromkeys(LINKS[name] for name in made))
    assert links == [link for link in DescriptionSource if link in links]


def test_without_a_model_or_a_reader_nobody_is_asked_last() -> None:
    for env in (READER | {"LULL_MEDIA_MODEL": "no"}, {}):
        done = run_alone(MADE, DESCRIBE | env)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[0] == CHAIN.format("EmptySource", 8)


def test_over_vertex_ai_no_key_is_needed_and_without_a_bucket_nothing_is_stored() -> None:
    env = {name: value for name, value in DESCRIBE.items() if name != "GEMINI_API_KEY"}
    over_vertex = {"GOOGLE_GENAI_USE_ENTERPRISE": "true", "LULL_READER_URL": "http://reader.example"}
    done = run_alone(MADE, env | over_vertex)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1] == "gemini-3.5-flash-lite ['lull'] False"


def test_a_curated_file_that_is_wrong_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "frog.json").write_text(json.dumps({"kind": "sticker", "description": "A frog."}))
    done = run("import shared.wiring.describe_media", DESCRIBE | {"LULL_AGENTS_PATH": str(tmp_path)})
    assert done.returncode == 1
    assert "media/frog.json:1: unique_id: no file is named" in done.stderr
