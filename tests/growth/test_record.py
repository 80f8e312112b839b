"""One more record of a commit is four files: the value, where and as what it is kept, its writes, and their test."""

from tests.growth.scratch import Changes, Growth, Scratch

BEFORE = """@dataclass(frozen=True)
class NewIncident(Record):"""
VALUE = '''@dataclass(frozen=True, kw_only=True)
class Remembered(Record):
    """A fact that a person told."""

    person: int
    fact: str


'''
BOTS = "def bot_path("
PATH = '''def memory_path(key: ChatKey, person_id: int) -> str:
    """Where it is kept what a person told in a chat."""
    return f"{chat_path(key)}/memories/{person_id}"


'''
MODULE = '''
"""Records of what lull remembers."""

from collections.abc import Iterator

from shared.adapters.firestore import paths
from shared.adapters.firestore.writes import Commit, Mode, Write, writes_of
from shared.records import Remembered


@writes_of.register
def _remembered(record: Remembered, commit: Commit) -> Iterator[Write]:
    path = paths.memory_path(commit.chat.key, record.person)
    yield Write(path=path, document={"fact": record.fact, "at": commit.at}, mode=Mode.SET)
'''
TEST = '''
"""How what lull remembers is written."""

from shared.models.chat import Chat
from shared.records import Remembered
from tests.shared.adapters.changes import written_by
from tests.shared.values import KEY, NOW


def test_a_fact_is_kept_by_person() -> None:
    path, document = f"chats/{KEY.id}/memories/7", {"fact": "likes tea", "at": NOW}
    assert written_by(Remembered(person=7, fact="likes tea"), Chat(key=KEY)) == [("set", path, document)]
'''
#: noted by a session, written by its commit into the database, shipped
PROBE = """
from infra.bundle import ROOT
from infra.imports import imported_files
from shared.records import Remembered
from tests.shared.executing.test_runner import claimed_session
from tests.shared.flows.room import Room


async def test_a_session_takes_it_and_a_commit_writes_it(here: Room) -> None:
    hold = await claimed_session(here)
    hold.note(Remembered(person=7, fact="likes tea"))
    await hold.commit()
    found = await here.house.chats.client.document(f"chats/{here.key.id}/memories/7").get()
    assert found.get("fact") == "likes tea"


def test_the_tick_ships_it_and_the_webhook_does_not() -> None:
    module = ROOT / "shared" / "adapters" / "firestore" / "records" / "memories.py"
    assert module in imported_files(ROOT / "functions" / "tick" / "main.py", ROOT)
    assert module not in imported_files(ROOT / "functions" / "webhook" / "main.py", ROOT)
"""
RECORDS = "tests/shared/adapters/firestore/records"


def _add(scratch: Scratch) -> None:
    scratch.edits("shared/records.py", BEFORE, VALUE + BEFORE)
    scratch.edits("shared/adapters/firestore/paths.py", BOTS, PATH + BOTS)
    scratch.adds("shared/adapters/firestore/records/memories.py", MODULE)
    scratch.adds(f"{RECORDS}/test_memories.py", TEST)


GROWTH = Growth(add=_add, path="tests/shared/executing/test_probe_of_a_record.py", probe=PROBE, tests=(RECORDS,))


def test_a_record_is_a_value_its_place_its_writes_and_their_test(changes: Changes) -> None:
    assert changes[GROWTH.path] == [
        "shared/adapters/firestore/paths.py",
        "shared/adapters/firestore/records/memories.py",
        "shared/records.py",
        f"{RECORDS}/test_memories.py",
    ]
