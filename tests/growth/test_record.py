"""One more record of a commit is four files: the value, where and as what it is kept, its writes, and their test."""

from tests.growth.scratch import Changes, Growth, Scratch

BEFORE = """@dataclass(frozen=True)
class NewIncident(Record):"""
VALUE = '''@dataclass(frozen=True, kw_only=True)
class Voted(Record):
    """What a person voted for."""

    person: int
    choice: str


'''
BOTS = "def bot_path("
PATH = '''def vote_path(key: ChatKey, person_id: int) -> str:
    """Where it is kept what a person voted for in a chat."""
    return f"{chat_path(key)}/votes/{person_id}"


'''
MODULE = '''
"""Records of votes."""

from collections.abc import Iterator

from shared.chat.store import paths
from shared.chat.store.writes import Commit, Mode, Write, writes_of
from shared.chat.records import Voted


@writes_of.register
def _voted(record: Voted, commit: Commit) -> Iterator[Write]:
    path = paths.vote_path(commit.chat.key, record.person)
    yield Write(path=path, document={"choice": record.choice, "at": commit.at}, mode=Mode.SET)
'''
TEST = '''
"""How votes are written."""

from shared.values.chat import Chat
from shared.chat.records import Voted
from tests.shared.chat.store.changes import written_by
from tests.shared.examples import KEY, NOW


def test_a_vote_is_kept_by_person() -> None:
    path, document = f"chats/{KEY.id}/votes/7", {"choice": "tea", "at": NOW}
    assert written_by(Voted(person=7, choice="tea"), Chat(key=KEY)) == [("set", path, document)]
'''
#: noted by a session, written by its commit into the database, shipped
PROBE = """
from infra.bundle import ROOT
from infra.imports import imported_files
from shared.chat.records import Voted
from tests.shared.turn.test_runner import claimed_session
from tests.shared.turn.room import Room


async def test_a_session_takes_it_and_a_commit_writes_it(here: Room) -> None:
    hold = await claimed_session(here)
    hold.note(Voted(person=7, choice="tea"))
    await hold.commit()
    found = await here.house.chats.client.document(f"chats/{here.key.id}/votes/7").get()
    assert found.get("choice") == "tea"


def test_the_tick_ships_it_and_the_webhook_does_not() -> None:
    module = ROOT / "shared" / "adapters" / "firestore" / "records" / "votes.py"
    assert module in imported_files(ROOT / "functions" / "tick" / "main.py", ROOT)
    assert module not in imported_files(ROOT / "functions" / "webhook" / "main.py", ROOT)
"""
RECORDS = "tests/shared/adapters/firestore/records"


def _add(scratch: Scratch) -> None:
    scratch.edits("shared/chat/records.py", BEFORE, VALUE + BEFORE)
    scratch.edits("shared/chat/store/paths.py", BOTS, PATH + BOTS)
    scratch.adds("shared/*/documents/votes.py", MODULE)
    scratch.adds(f"{RECORDS}/test_votes.py", TEST)


GROWTH = Growth(add=_add, path="tests/shared/turn/test_probe_of_a_record.py", probe=PROBE, tests=(RECORDS,))


def test_a_record_is_a_value_its_place_its_writes_and_their_test(changes: Changes) -> None:
    assert changes[GROWTH.path] == [
        "shared/chat/store/paths.py",
        "shared/*/documents/votes.py",
        "shared/chat/records.py",
        f"{RECORDS}/test_votes.py",
    ]
