"""Tests of how prompts show memories."""

from datetime import UTC

from shared.memory.lines import common_passages, memory_details, memory_line, personal_passages
from shared.values.agent import CuratedMemory
from shared.values.memory import MemoryScope, VisibleMemories
from shared.values.origin import OWN, TextOrigin, TextSource
from tests.shared.examples import ANN, BOB, GROUP_KEY
from tests.shared.memory.facts import fact, source


def test_a_line_has_id_author_and_date() -> None:
    assert memory_line(fact(id="mtea"), UTC) == "mtea (Ann, 2026-03-01): Ann likes tea."
    chats = fact("Tea at five.", GROUP_KEY, id="mchat", scope=MemoryScope.CHAT)
    assert memory_line(chats, UTC) == "mchat (Ann, 2026-03-01, of this chat): Tea at five."
    shop = fact("Closed.", id="mshop", scope=MemoryScope.AGENT, source=source(name=""))
    assert memory_line(shop, UTC) == "mshop (someone, 2026-03-01, for everyone): Closed."


def test_details_tell_where_it_was_said() -> None:
    in_group = fact(id="m1", source=source(GROUP_KEY, title="Garden", name="Ann [x]"), is_for_groups=True)
    assert memory_details(in_group, UTC) == (
        'm1 (Ann x, 2026-03-01): Ann likes tea. [in the group "Garden"; groups may know it]'
    )
    assert memory_details(fact(id="m2", outside="a forward"), UTC).endswith("[in a private chat; quoted: a forward]")


def test_the_source_is_the_person_who_said_it() -> None:
    known = VisibleMemories(curated=(CuratedMemory(text="The cat is Mau."),), common=(fact(),), personal=(fact(),))
    curated, common = common_passages(known, ANN.id, UTC)
    assert (curated.text, curated.source) == ("(always) The cat is Mau.", OWN)
    assert common.source == TextSource(origin=TextOrigin.OWNER, person=ANN.id)
    (personal,) = personal_passages(known, 0, UTC)
    assert personal.source == TextSource(origin=TextOrigin.PERSON, person=ANN.id)


def test_tells_only_the_number_of_quoted_memories() -> None:
    known = VisibleMemories(quoted=(fact("Bob owes Ann.", outside="a forwarded message"),))
    (told,) = personal_passages(known, 0, UTC)
    assert (told.source, "Bob" in told.text, told.text[:8]) == (OWN, False, "(1 more ")


def test_memories_for_everyone_keep_owner_origin_after_a_change_of_owner() -> None:
    (told,) = common_passages(VisibleMemories(common=(fact(scope=MemoryScope.AGENT),)), BOB.id, UTC)
    assert told.source == TextSource(origin=TextOrigin.OWNER, person=ANN.id)
