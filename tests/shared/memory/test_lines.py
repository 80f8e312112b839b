"""How the model is told of what is remembered."""

from datetime import UTC

from shared.memory.lines import common_passages, memory_details, memory_line, personal_passages
from shared.values.agent import CuratedMemory
from shared.values.memory import MemoryScope, VisibleMemories
from shared.values.origin import OWN, TextOrigin, TextSource
from tests.shared.examples import ANN, BOB, GROUP_KEY
from tests.shared.memory.facts import fact, source


def test_each_has_its_id_whose_it_is_and_its_date() -> None:
    assert memory_line(fact(id="mtea"), UTC) == "mtea (Ann, 2026-03-01): Ann likes tea."
    chats = fact("Tea at five.", GROUP_KEY, id="mchat", scope=MemoryScope.CHAT)
    assert memory_line(chats, UTC) == "mchat (Ann, 2026-03-01, of this chat): Tea at five."
    shop = fact("Closed.", id="mshop", scope=MemoryScope.AGENT, source=source(name=""))
    assert memory_line(shop, UTC) == "mshop (someone, 2026-03-01, for everyone): Closed."


def test_where_it_was_said_is_told_to_whoever_asks() -> None:
    in_group = fact(id="m1", source=source(GROUP_KEY, title="Garden", name="Ann [x]"), is_for_groups=True)
    assert memory_details(in_group, UTC) == (
        'm1 (Ann x, 2026-03-01): Ann likes tea. [in the group "Garden"; groups may know it]'
    )
    assert memory_details(fact(id="m2", outside="a forward"), UTC).endswith("[in a private chat; quoted: a forward]")


def test_their_sources_are_those_who_said_them() -> None:
    known = VisibleMemories(curated=(CuratedMemory(text="The cat is Mau."),), common=(fact(),), personal=(fact(),))
    curated, common = common_passages(known, ANN.id, UTC)
    assert (curated.text, curated.source) == ("(always) The cat is Mau.", OWN)
    assert common.source == TextSource(origin=TextOrigin.OWNER, person=ANN.id)
    (personal,) = personal_passages(known, 0, UTC)
    assert personal.source == TextSource(origin=TextOrigin.PERSON, person=ANN.id)


def test_of_what_was_quoted_only_the_number_is_told() -> None:
    known = VisibleMemories(quoted=(fact("Bob owes Ann.", outside="a forwarded message"),))
    (told,) = personal_passages(known, 0, UTC)
    assert (told.source, "Bob" in told.text, told.text[:8]) == (OWN, False, "(1 more ")


def test_what_everyone_may_know_is_an_owners_word_also_after_the_agent_has_another_owner() -> None:
    (told,) = common_passages(VisibleMemories(common=(fact(scope=MemoryScope.AGENT),)), BOB.id, UTC)
    assert told.source == TextSource(origin=TextOrigin.OWNER, person=ANN.id)
