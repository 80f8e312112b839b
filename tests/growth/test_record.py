"""One more record of a commit is three files: the value with its writes, its store, and their test.

Here it has its own collection, which takes four more changes: how forgetting treats it, whether an archive has it, its
absence from exports, and the page that says so.
"""

from tests.growth.scratch import Changes, Growth, Scratch

BOTS = "def bot_path("
PATH = '''def vote_path(choice: str) -> str:
    """Return the path of the votes for a choice."""
    return f"votes/{choice}"


'''
MODULE = '''
"""Votes: the record of one."""

from collections.abc import Iterator
from dataclasses import dataclass

from shared.chat.store import paths
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode


@dataclass(frozen=True)
class Voted(Record):
    """A vote for a choice. Nobody is named."""

    choice: str

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Replace the choice's document."""
        yield Write(path=paths.vote_path(self.choice), document={"newest_at": commit.at}, mode=WriteMode.SET)
'''
TEST = '''
"""How votes are written."""

from shared.chat.store.votes import Voted
from shared.values.chat import Chat
from tests.shared.chat.store.changes import written_by
from tests.shared.examples import KEY, NOW


def test_a_vote_is_kept_by_its_choice() -> None:
    assert written_by(Voted("tea"), Chat(key=KEY)) == [("set", "votes/tea", {"newest_at": NOW})]
'''
#: a session notes the record, and its commit writes it into the database
PROBE = """
from shared.chat.store.votes import Voted
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session


async def test_a_session_takes_it_and_a_commit_writes_it(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    hold.note(Voted("tea"))
    await hold.commit()
    found = await harness.backend.chats.client.document("votes/tea").get()
    assert found.to_dict().keys() == {"newest_at"}
"""
STORE, TESTS = "shared/chat/store", "tests/shared/chat/store"
DELETION_RULES, ARCHIVE_RULES = "shared/privacy/deletion/rules.py", "shared/privacy/document_files.py"
EXPORTED, PAGE = "tests/shared/privacy/export/test_kinds.py", "docs/privacy.md"
#: the further changes for a collection: file, an existing line, and the line to put before it
ROWS = (
    (
        DELETION_RULES,
        '    DeletionRule("archives",',
        '    DeletionRule("votes", "when a choice was voted for last, by nobody", DeletionMethod.NOTHING),\n',
    ),
    (ARCHIVE_RULES, '    _not("archives",', '    _not("votes", "people vote again"),\n'),
    (EXPORTED, '"archives", "sweeps", "rebuilds"', '"votes", '),
)


def _add(scratch: Scratch) -> None:
    scratch.edits("shared/chat/store/paths.py", BOTS, PATH + BOTS)
    scratch.adds(f"{STORE}/votes.py", MODULE)
    scratch.adds(f"{TESTS}/test_votes.py", TEST)
    for file, before, added in ROWS:
        scratch.edits(file, before, added + before)
    scratch.runs("-m", "operations.privacy_table")


SHOWN_BY = (
    f"{TESTS}/test_votes.py",
    "tests/shared/privacy/deletion/test_rules.py",
    "tests/shared/privacy/test_kept.py",
    "tests/operations/test_privacy_table.py",
    EXPORTED,
)
GROWTH = Growth(add=_add, path="tests/shared/turn/test_probe_of_a_record.py", probe=PROBE, tests=SHOWN_BY)


def test_a_record_is_one_module_its_place_and_their_test(changes: Changes) -> None:
    of_its_collection = {DELETION_RULES, ARCHIVE_RULES, EXPORTED, PAGE}
    assert of_its_collection <= set(changes[GROWTH.path])
    assert [path for path in changes[GROWTH.path] if path not in of_its_collection] == [
        "shared/chat/store/paths.py",
        f"{STORE}/votes.py",
        f"{TESTS}/test_votes.py",
    ]
