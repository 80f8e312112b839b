"""The media editor over the emulators of Firestore and Cloud Storage."""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from local.cloud import LocalCloud
from local.parts import MEDIA_BUCKET
from shared.base.root import ROOT
from shared.chat.store import paths
from shared.console.knowledge import KnowledgeSettings
from shared.console.media_changes import exported_files
from shared.console.route import BadRequest, NotFound
from shared.console.services import ConsoleServices
from shared.console.views import media as view
from shared.media.blobs import StorageBlobs
from shared.media.store.curations import CuratedEdit
from shared.media.store.media import FirestoreMedia, encode_media, encode_reference
from shared.planning.personas.media import load_curated
from shared.values.chat_key import ChatKey
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.reference import GRACE, FileReference
from shared.values.stored_media import DescribeAgain, StoredMedia, StoredPart
from shared.wiring.settings.model_functions import LITE
from tests.shared.console.harness import OWNER, ConsoleHarness
from tests.shared.examples import NOW, SECOND

CAT = Description(outcome=DescriptionOutcome.DESCRIBED, shows="A cat.", source="a-model")
BROKEN = Description(outcome=DescriptionOutcome.PERMANENT_FAILURE, why="It is broken.")


async def sent(
    console: ConsoleHarness,
    unique_id: str,
    description: Description | None = CAT,
    *,
    kind: MediaKind = MediaKind.PHOTO,
    agent: str = "lull",
    people: tuple[int, ...] = (5,),
    parts: tuple[StoredPart, ...] = (),
    **ref: Any,
) -> None:
    """Store a file that some people sent one after the other."""
    for number, person in enumerate(people):
        at = console.now + SECOND * number
        reference = FileReference(
            ref=MediaRef(kind=kind, file_id=f"f{unique_id}", unique_id=unique_id, **ref),
            agent=agent,
            chat=ChatKey(agent=agent, chat_id=person).id,
            person=person,
            message_ids=(1,),
            at=at,
            try_at=at,
            is_open=False,
        )
        await console.client.document(paths.reference_path(reference.id)).set(encode_reference(reference))
    media = StoredMedia(unique_id=unique_id, kind=kind, description=description, parts=parts, updated_at=NOW)
    await console.client.document(paths.media_path(unique_id)).set(encode_media(media))
    console.wait(seconds=60)


def services(console: ConsoleHarness, **changes: Any) -> ConsoleServices:
    return replace(console.services, **{"knowledge": KnowledgeSettings(media_model=LITE), **changes})


async def listed(console: ConsoleHarness, agents: tuple[str, ...] = ("lull",), **query: str) -> list[Mapping[str, Any]]:
    found, cursor = list[Mapping[str, Any]](), ""
    while True:
        page = await view.list_media(services(console), console.request(*agents, body={**query, "cursor": cursor}))
        found, cursor = [*found, *page["items"]], page["next"]
        if not cursor:
            return found


def names(items: list[Mapping[str, Any]]) -> list[str]:
    return [one["unique_id"] for one in items]


async def test_lists_files_newest_first_by_kind_set_and_state(console: ConsoleHarness) -> None:
    await sent(console, "cat", people=(5, 6, 7))
    await sent(console, "frog", kind=MediaKind.STICKER, set_name="Frogs", emoji="💻")
    await sent(console, "bad", BROKEN)
    await sent(console, "new", None, kind=MediaKind.VOICE)
    await sent(console, "theirs", agent="moss")
    assert names(await listed(console)) == ["new", "bad", "frog", "cat"]
    assert names(await listed(console, kind="sticker")) == names(await listed(console, set="Frogs")) == ["frog"]
    assert names(await listed(console, shown="failed")) == ["bad"]
    assert names(await listed(console, shown="waiting")) == ["new"]
    assert names(await listed(console, ("lull", "moss"))) == ["theirs", "new", "bad", "frog", "cat"]
    (frog,) = await listed(console, kind="sticker")
    assert (frog["set"], frog["emoji"], frog["ai"]["shows"], frog["edit"]) == ("Frogs", "💻", "A cat.", None)
    (bad,) = await listed(console, shown="failed")
    assert bad["ai"]["why"] == "It is broken."
    with pytest.raises(BadRequest):
        await listed(console, kind="poem")


async def test_many_files_come_in_pages_and_each_once(console: ConsoleHarness) -> None:
    for number in range(30):
        await sent(console, f"file{number:02}", people=(5, 6))
    first = await view.list_media(services(console), console.request())
    assert len(first["items"]) == 24
    found = names(await listed(console))
    assert sorted(set(found)) == [f"file{number:02}" for number in range(30)]


async def edited(console: ConsoleHarness, name: str, text: str, agent: str = "lull", **how: Any) -> Mapping[str, Any]:
    body = {"file": name, "agent": agent, "text": text}
    return await view.edit(services(console, **how), console.request(body=body))


async def test_the_owner_s_words_are_kept_beside_the_model_s(console: ConsoleHarness) -> None:
    await sent(console, "cat")
    first = await edited(console, "cat", " Our cat\n Molly. ")
    (cat,) = await listed(console, shown="curated")
    assert (cat["edit"]["text"], cat["edit"]["by"], cat["ai"]["shows"]) == ("Our cat Molly.", OWNER, "A cat.")
    second = await edited(console, "cat", "Molly.")
    assert (first["undo"]["text"], second["undo"]["text"]) == ("", "Our cat Molly.")
    with pytest.raises(BadRequest, match="description_too_long"):
        await edited(console, "cat", "x" * 601)
    await edited(console, "cat", "")
    assert await listed(console, shown="curated") == []


async def test_a_file_of_the_deployment_wins(console: ConsoleHarness, tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "lull" / "media"
    folder.mkdir(parents=True)
    (folder / "cat.json").write_text(
        json.dumps({"unique_id": "cat", "kind": "photo", "description": "Molly, by file."})
    )
    await sent(console, "cat")
    await edited(console, "cat", "Molly.")
    folders = (tmp_path / "agents",)
    page = await view.list_media(services(console, agent_folders=folders), console.request())
    (cat,) = page["items"]
    assert (cat["file"], cat["edit"]["text"]) == (
        {"text": "Molly, by file.", "file": "agents/lull/media/cat.json"},
        "Molly.",
    )
    with pytest.raises(BadRequest, match="wins"):
        await edited(console, "cat", "Another.", agent_folders=folders)
    asked = console.request(body={"agent": "lull"})
    assert await view.clear(services(console, agent_folders=folders), asked) == {"count": 1}
    assert (await view.read_overview(console.services, console.request()))["edits"] == [{"agent": "lull", "count": 0}]


async def test_describing_again_keeps_the_text_and_asks_a_model_for_the_owner(console: ConsoleHarness) -> None:
    await sent(console, "cat", BROKEN, people=(5, 6))
    body = {"file": "cat", "agent": "lull"}
    with pytest.raises(BadRequest, match="no_media_model"):
        await view.describe_again(console.services, console.request(body=body))
    one = await view.read_file(services(console), console.request(path={"file": "cat"}))
    assert 0 < one["cost"] < 0.05
    await view.describe_again(services(console), console.request(body=body))
    (task,) = await console.queue.tasks()
    order = json.loads(task.http_request.body)
    assert (order["reference"]["ref"]["unique_id"], order["reference"]["person"]) == ("cat", 6), "the newest sender's"
    waiting = await FirestoreMedia(console.client).left_over(console.now + GRACE, 10)
    assert [one.person for one in waiting] == [6], "the sweep has it described if the job is lost"
    (cat,) = await listed(console)
    assert (cat["ai"]["outcome"], cat["ai"]["is_again"], cat["ai"]["tries"]) == ("permanent_failure", True, 0)
    stored = await FirestoreMedia(console.client).find("cat")
    assert stored is not None
    assert stored.again == DescribeAgain(by=OWNER, agent="lull", at=console.now)
    await edited(console, "cat", "Molly.")
    with pytest.raises(BadRequest, match="by_hand"):
        await view.describe_again(services(console), console.request(body=body))


async def test_a_file_that_is_being_described_is_left_alone(console: ConsoleHarness) -> None:
    await sent(console, "cat", None)
    claimed = {"claimed_until": console.now + SECOND * 60}
    await console.client.document(paths.media_path("cat")).set(claimed, merge=True)
    with pytest.raises(BadRequest, match="being_described"):
        await view.describe_again(services(console), console.request(body={"file": "cat", "agent": "lull"}))
    assert await console.queue.tasks() == []


async def test_files_of_other_agents_are_nobody_else_s(console: ConsoleHarness) -> None:
    await sent(console, "theirs", agent="moss")
    for body in ({"file": "theirs", "agent": "lull", "text": "x"}, {"file": "theirs", "agent": "moss", "text": "x"}):
        with pytest.raises(NotFound):
            await view.edit(services(console), console.request(body=body))
    for path in ({"file": "theirs", "number": "0"}, {"file": "a/b", "number": "0"}):
        with pytest.raises(NotFound):
            await view.read_part(services(console, media_bucket="b"), console.request(path=path))
    with pytest.raises(NotFound):
        await view.export(services(console), console.request(query={"agent": "moss"}))


async def test_a_picture_is_sent_so_that_nothing_in_it_can_run(
    console: ConsoleHarness, cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", cloud.storage_url)
    parts = (
        StoredPart(path="cat/0", mime_type="image/jpeg", size=3),
        StoredPart(path="cat/1", mime_type="text/html", size=4),
        StoredPart(path="cat/gone", mime_type="image/jpeg", size=4),
    )
    await sent(console, "cat", parts=parts)
    bucket = StorageBlobs(console.services.project, MEDIA_BUCKET)
    await bucket.put(parts[0], b"jpg")
    await bucket.put(parts[1], b"<b>!")
    by = services(console, media_bucket=MEDIA_BUCKET)

    async def part(number: str) -> Response:
        return await view.read_part(by, console.request(path={"file": "cat", "number": number}))

    picture, page = await part("0"), await part("1")
    assert (picture.body, picture.media_type) == (b"jpg", "image/jpeg")
    assert "sandbox" in picture.headers["content-security-policy"]
    assert picture.headers["x-content-type-options"] == "nosniff"
    assert (page.media_type, page.headers["content-disposition"]) == ("application/octet-stream", "attachment")
    for number in ("2", "3", "-1", "x"):
        with pytest.raises(NotFound):
            await part(number)


async def test_what_is_exported_can_be_loaded_from_agents(console: ConsoleHarness, tmp_path: Path) -> None:
    await sent(console, "AgAD_cat")
    await sent(console, "AgADfrog", kind=MediaKind.STICKER, set_name="Frogs", emoji="💻")
    for name in ("AgAD_cat", "AgADfrog"):
        await edited(console, name, f"Our {name}.")
    answer = await view.export(services(console), console.request(query={"agent": "lull"}))
    with zipfile.ZipFile(io.BytesIO(bytes(answer.body))) as archive:
        assert archive.namelist() == ["agents/lull/media/AgAD_cat.json", "agents/lull/media/Frogs-AgADfrog.json"]
        archive.extractall(tmp_path)
    loaded = load_curated((tmp_path / "agents",), ["lull"])["lull"]
    assert loaded["", "AgAD_cat"].description == "Our AgAD_cat."
    assert loaded["frogs", "💻"].description == "Our AgADfrog."


def test_two_stickers_of_one_emoji_are_exported_as_two_files(tmp_path: Path) -> None:
    edits = [
        CuratedEdit(
            unique_id=name, kind=MediaKind.STICKER, sticker_set_name="Frogs", sticker_name="😂", description=name, by=1,
            edited_at=NOW,
        )
        for name in ("one", "two")
    ]  # fmt: skip
    for path, text in exported_files("lull", edits):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    loaded = load_curated((tmp_path / "agents",), ["lull"])["lull"]
    assert {key: one.description for key, one in loaded.items()} == {("", "one"): "one", ("", "two"): "two"}


async def test_the_overview_tells_budget_and_what_waits(console: ConsoleHarness) -> None:
    await sent(console, "cat", None)
    waiting = FileReference(
        ref=MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="x"), agent="lull", chat="", at=NOW, try_at=NOW
    )
    await console.client.document(paths.reference_path(waiting.id)).set(encode_reference(waiting))
    found = await view.read_overview(services(console), console.request())
    assert (found["model"], found["budget"], found["waiting"], found["has_pictures"]) == (LITE, 8, 1, False)
    assert "sticker" in found["kinds"]
    assert services(console).agent_folders == (ROOT / "agents",)
