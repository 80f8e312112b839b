"""Export, archive and restore as a user runs them."""

import json
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from local.cloud import LocalCloud
from local.parts import ARCHIVE_BUCKET
from shared.chat.archive_names import deletion_name_of, is_documents, name_of
from shared.chat.store.chats import FirestoreChats
from shared.privacy.store.deletions import FirestoreDeletions
from shared.values.deletion import Deletion, DeletionScope
from tests.operations.typed import typed
from tests.shared.new_chats import key_of, new_chats, new_project, talk

FINDABLE = "Search does not find restored messages yet: run `make rebuild`, which first shows an estimate of the costs."


class Shell:
    """A shell whose settings name a project of the emulator."""

    def __init__(self, cloud: LocalCloud, project: str) -> None:
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": "/nowhere",
            "GOOGLE_CLOUD_PROJECT": project,
            "FIRESTORE_EMULATOR_HOST": cloud.firestore_host,
            "STORAGE_EMULATOR_HOST": cloud.storage_url,
        }

    def __call__(self, *arguments: str) -> tuple[int, list[str]]:
        """Return the exit code and the lines, without the first, which names the lull."""
        done = typed(("operations", *arguments), self.env, "")
        assert "Traceback" not in done.stderr
        assert "a secret" not in done.stdout + done.stderr
        return done.returncode, [line.rstrip() for line in (done.stdout + done.stderr).splitlines()][1:]


@pytest.fixture
async def chats(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FirestoreChats]:
    """A database of this test's own."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    async with new_chats() as found:
        yield found


@pytest.fixture
def shell(cloud: LocalCloud, chats: FirestoreChats) -> Shell:
    return Shell(cloud, str(chats.client.project))


def files_in(folder: Path) -> dict[str, str]:
    """Return the files below a folder by name, except those of documents outside of conversations."""
    found = {file.relative_to(folder).as_posix(): file.read_text() for file in folder.rglob("*.jsonl")}
    return {name: text for name, text in found.items() if not is_documents(name)}


async def test_conversations_are_written_one_file_each(shell: Shell, chats: FirestoreChats, tmp_path: Path) -> None:
    first, second = [await talk(chats, number, "a secret", "and more") for number in (1, 2)]
    said = f"2 conversations written to {tmp_path}; the files contain people's messages."
    assert shell("export", "--to", str(tmp_path)) == (0, [said])
    files = files_in(tmp_path)
    assert files.keys() == {name_of(first), name_of(second)}
    lines = [json.loads(line) for line in files[name_of(first)].splitlines()]
    assert [line["type"] for line in lines] == ["meta", "turn", "turn"]
    assert lines[1]["content"] == "a secret"


async def test_some_can_be_named(shell: Shell, chats: FirestoreChats, tmp_path: Path) -> None:
    first, second = [await talk(chats, number, "a secret") for number in (1, 2)]
    assert shell("export", "--conversation", first, "--to", str(tmp_path / "a"))[1][0].startswith("1 conversation ")
    assert shell("export", "--chat", "2", "--to", str(tmp_path / "b"))[1][0].startswith("1 conversation ")
    assert shell("export", "--chat", key_of(2).id, "--to", str(tmp_path / "c"))[0] == 0
    assert files_in(tmp_path).keys() == {
        f"{folder}/{name_of(found)}" for folder, found in (("a", first), ("b", second), ("c", second))
    }


def test_nothing_to_export_is_said(shell: Shell) -> None:
    assert shell("export") == (0, ["There are no conversations."])
    assert shell("export", "--conversation", "conv-x") == (1, ["There is no such conversation."])
    assert shell("export", "--chat", "5") == (1, ["There are no conversations."])


async def test_one_that_cannot_be_read_is_said_and_the_others_are_written(
    shell: Shell, chats: FirestoreChats, tmp_path: Path
) -> None:
    odd, other = [await talk(chats, number, "a secret") for number in (1, 2)]
    page = chats.client.document(f"conversations/{odd}/messages/0000000001")
    await page.set({"first_seq": 1, "entries": [{"type": "message", "text": "a secret"}]})
    code, (problem, said) = shell("export", "--to", str(tmp_path))
    assert code == 1
    assert problem.startswith(f"the stored conversation {odd} has an unknown form at 0.message.")
    assert said.startswith("1 conversation written")
    assert files_in(tmp_path).keys() == {name_of(other)}


async def test_what_was_archived_is_restored_elsewhere(
    shell: Shell, chats: FirestoreChats, cloud: LocalCloud, tmp_path: Path
) -> None:
    conversation = await talk(chats, 1, "a secret", "Hello!")
    place = f"gs://{ARCHIVE_BUCKET}/{new_project()}"
    code, said = shell("archive", place)
    while said == [
        f"0 conversations that changed were archived in {place}."
    ]:  # recent changes are left to the next run
        code, said = shell("archive", place)
    assert (code, said) == (0, [f"1 conversations that changed were archived in {place}."])
    other = Shell(cloud, new_project())
    restored = ["1 conversations restored.", "1 chats restored.", FINDABLE]
    assert other("restore", place) == (0, restored)
    code, (refused,) = other("restore", place)
    assert code == 1
    assert refused.startswith("the database already has conversations, so nothing was restored.")
    there = ["0 conversations restored, 1 already existed.", "0 chats restored, 1 already existed.", FINDABLE]
    assert other("restore", place, "--add") == (0, there)
    assert other("export", "--to", str(tmp_path / "a"))[0] == shell("export", "--to", str(tmp_path / "b"))[0] == 0
    new, old = [files_in(tmp_path / folder)[name_of(conversation)].splitlines()[1:] for folder in "ab"]
    assert old == new


def test_what_cannot_be_restored_is_said(shell: Shell, tmp_path: Path) -> None:
    assert shell("restore", str(tmp_path)) == (1, [f"{tmp_path} contains no conversations."])
    assert shell("restore", str(tmp_path / "none")) == (1, [f"there is no folder {tmp_path / 'none'}"])
    assert shell("restore", "gs://no-such-bucket")[1][0].startswith("gs://no-such-bucket did not list its files")
    (tmp_path / "conv-x.jsonl").write_text('{"a secret"\n')
    assert shell("restore", str(tmp_path)) == (
        1,
        [
            "conv-x.jsonl: line 1 is corrupt (JSONDecodeError); left out",
            "conv-x.jsonl: no `meta` line has the id of the conversation; left out",
            "0 conversations restored.",
            "0 chats restored.",
        ],
    )


async def test_what_is_restored_of_who_was_forgotten_is_erased_again(
    shell: Shell, chats: FirestoreChats, cloud: LocalCloud, tmp_path: Path
) -> None:
    forgotten, other = [await talk(chats, number, "a secret") for number in (1, 2)]
    deletion = Deletion(
        id="e1", scope=DeletionScope.PERSON, person=1, chat=key_of(1).id, asked_at=datetime.now(UTC), due_at=None
    )
    await FirestoreDeletions(chats.client).keep(deletion)
    assert shell("export", "--to", str(tmp_path / "a"))[0] == 0
    assert (tmp_path / "a" / deletion_name_of("e1")).is_file()
    alone = str(tmp_path / "alone")
    told = f"1 deletions written to {alone}: ids and times only, no messages."
    assert shell("export", "--forgotten", "--to", alone) == (0, [told])
    assert files_in(tmp_path / "alone").keys() == {deletion_name_of("e1")}
    # an older backup brought them back, without its list of forgotten people
    backup = Shell(cloud, new_project())
    (tmp_path / "a" / deletion_name_of("e1")).rename(tmp_path / "aside")
    assert backup("restore", str(tmp_path / "a"))[0] == 0
    (tmp_path / "aside").rename(tmp_path / "a" / deletion_name_of("e1"))
    assert backup("restore", alone, "--add")[0] == 0
    assert backup("export", "--to", str(tmp_path / "c"))[0] == 0
    assert files_in(tmp_path / "c").keys() == {name_of(other), deletion_name_of("e1")}
    elsewhere = Shell(cloud, new_project())
    assert elsewhere("restore", str(tmp_path / "a")) == (
        0,
        [
            "2 conversations restored.",
            "2 chats restored.",
            "1 deletions were repeated: restored data of forgotten people is erased again.",
            FINDABLE,
        ],
    )
    assert elsewhere("export", "--to", str(tmp_path / "b"))[0] == 0
    assert files_in(tmp_path / "b").keys() == {name_of(other), deletion_name_of("e1")}
    assert files_in(tmp_path / "a").keys() > {name_of(forgotten)}
