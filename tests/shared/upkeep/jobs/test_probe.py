"""Probes run independently, in limited time, and report what they found."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from shared.base.errors import BlobsUnavailable, ExportsUnavailable, ModelRefused, ModelTrouble, ModelUnavailable
from shared.base.model_call import ModelCall
from shared.cloud.export_bucket import PartWriter, StorageExports
from shared.media.blobs import StorageBlobs
from shared.tools.reader import HttpReader
from shared.upkeep.jobs.probe import (
    STORED,
    Probe,
    ProbeFailed,
    ask_models,
    probe,
    read_a_page,
    read_export,
    store_export,
    store_media,
)
from shared.values.canary import PROBE_WORDS, CanaryStep
from shared.values.page import PageResult
from shared.values.prepared import PreparedFile
from shared.values.prompt import ModelReply, Prompt
from shared.values.stored_media import StoredPart
from shared.values.usage import ModelUse, Purpose


async def well() -> str:
    return "it answered"


async def refused() -> str:
    raise BlobsUnavailable("the bucket refused")


async def surprised() -> str:
    raise ZeroDivisionError


async def endless() -> str:
    await asyncio.sleep(60)
    return ""


async def test_what_fails_hides_nothing_and_is_told() -> None:
    steps = (CanaryStep.MODEL, CanaryStep.MEDIA, CanaryStep.ARCHIVE, CanaryStep.READING)
    calls = (well, refused, surprised, endless)
    report = await probe([Probe(step, call) for step, call in zip(steps, calls, strict=True)], longest_s=0.05)
    assert [(one.step, one.is_well, one.said) for one in report.probed] == [
        (CanaryStep.MODEL, True, "it answered"),
        (CanaryStep.MEDIA, False, "the bucket refused"),
        (CanaryStep.ARCHIVE, False, "ZeroDivisionError"),
        (CanaryStep.READING, False, "there was no answer in time"),
    ]


class Asked:
    """Models of which some do not answer."""

    def __init__(self, wrong: Mapping[str, Exception]) -> None:
        self.wrong, self.uses, self.prompts = wrong, list[ModelUse](), list[Prompt]()

    def model(self, name: str, use: ModelUse) -> "One":
        self.uses.append(use)
        return One(self, name)


class One:
    def __init__(self, of: Asked, name: str) -> None:
        self.of, self.name = of, name

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        self.of.prompts.append(prompt)
        if self.name in self.of.wrong:
            raise self.of.wrong[self.name]
        return ModelReply(text="", is_complete=False, call=ModelCall(model=self.name))


async def test_each_model_is_asked_for_little_and_each_that_fails_is_named() -> None:
    models = Asked({"b": ModelUnavailable("it is overloaded"), "c": ModelRefused("there is no such model")})
    with pytest.raises(ProbeFailed, match=r"^b: it is overloaded; c: there is no such model$"):
        await ask_models(models, ("a", "b", "c"))
    assert [(use.purpose, use.chat) for use in models.uses] == [(Purpose.PROBE, None)] * 3
    assert all(0 < (prompt.reply_tokens or 0) <= 64 for prompt in models.prompts)
    assert all(PROBE_WORDS in prompt.system for prompt in models.prompts)
    assert await ask_models(Asked({}), ("a", "b")) == "a answered; b answered"


async def test_a_limit_that_is_reached_is_no_outage() -> None:
    spent = Asked({"a": ModelUnavailable("the day's money is spent", ModelTrouble.LIMIT)})
    assert await ask_models(spent, ("a",)) == "a was not asked: the day's money is spent"
    with pytest.raises(ProbeFailed, match="no price"):
        await ask_models(Asked({"a": ModelRefused("no price", trouble=ModelTrouble.MISCONFIGURED)}), ("a",))


class Reader(HttpReader):
    """A reader with given answers."""

    def __init__(self, page: PageResult, made: PreparedFile | None = None) -> None:
        self.page, self.made, self.opened = page, made or PreparedFile(problem="nothing is opened"), 0

    async def read(self, url: str, *, is_automatic: bool) -> PageResult:
        assert (url, is_automatic) == ("https://l.example/privacy.html", False)
        return self.page

    async def prepare(self, kind: str, mime_type: str, content: bytes) -> PreparedFile:
        assert (kind, mime_type, bool(content)) == ("document", "text/plain", True)
        self.opened += 1
        return self.made


def page(**fields: object) -> PageResult:
    return PageResult.model_validate({"asked": "https://l.example/privacy.html", **fields})


async def reading(reader: Reader) -> str:
    return await read_a_page(reader, reader, "https://l.example/privacy.html")


async def test_a_page_is_read_or_says_why_not() -> None:
    assert await reading(Reader(page(text="privacy"))) == "a page was read"
    with pytest.raises(ProbeFailed, match="the server takes too long"):
        await reading(Reader(page(problem="the server takes too long")))
    with pytest.raises(ProbeFailed, match="has no text"):
        await reading(Reader(page()))


async def test_where_the_rules_forbid_that_page_a_file_is_opened() -> None:
    forbidden = page(problem="pages of that host are not read", is_forbidden=True)
    reader = Reader(forbidden, PreparedFile(text="canary"))
    assert "a file was opened" in await reading(reader)
    assert reader.opened == 1
    with pytest.raises(ProbeFailed, match="nothing is opened"):
        await reading(Reader(forbidden))


#: no bucket is written to
NOTHING: Any = None


class Parts(StorageBlobs):
    """A bucket that returns given bytes, whatever was stored."""

    def __init__(self, given: bytes | None) -> None:
        self.given, self.stored = given, dict[str, bytes]()

    async def put(self, part: StoredPart, content: bytes) -> None:
        self.stored[part.path] = content

    async def get(self, part: StoredPart) -> bytes | None:
        return self.given


class Exports(StorageExports):
    """The same for exports."""

    def __init__(self, given: bytes | None) -> None:
        self.given, self.stored = given, dict[str, bytes]()

    @asynccontextmanager
    async def writing(self, path: str) -> AsyncIterator[PartWriter]:
        yield Writer(self.stored, path)

    async def pieces(self, path: str, size: int) -> AsyncIterator[bytes]:
        assert size == len(STORED)
        if self.given:
            yield self.given


class Writer(PartWriter):
    """A part that is being written."""

    def __init__(self, stored: dict[str, bytes], path: str) -> None:
        super().__init__(bucket=NOTHING, file=(stored, path))

    async def write(self, content: bytes) -> None:
        stored, path = self.file
        stored[path] = content


@pytest.mark.parametrize("given", [None, b"canarx"])
async def test_what_a_bucket_does_not_give_back_is_told(given: bytes | None) -> None:
    with pytest.raises(BlobsUnavailable, match="returned other bytes than this canary stored"):
        await store_media(Parts(given), "7")
    with pytest.raises(ExportsUnavailable, match="returned other bytes than this canary stored"):
        await read_export(Exports(given), "7")


async def test_what_is_stored_has_the_name_of_its_run() -> None:
    parts, exports = Parts(STORED), Exports(STORED)
    assert await store_media(parts, "7") == "a part was stored and read"
    assert await store_export(exports, "7") == "a part was stored"
    assert await read_export(exports, "7") == "the part was read"
    assert (parts.stored, exports.stored) == ({"canary/7": STORED}, {"canary-7/part": STORED})
