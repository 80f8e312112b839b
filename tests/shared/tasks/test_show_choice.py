"""A choice is shown below its message, or on a button if there is no room."""

import pytest

from shared.base.text import Entity, EntityType
from shared.tasks.registry import kinds, unlockable
from shared.tasks.send import Send
from shared.tasks.show_choice import ShowChoice, below
from shared.tasks.task import TOLD
from shared.telegram.markdown.cutting import LONGEST_MESSAGE
from shared.values.evolve import evolve
from shared.values.message import Edit, Message
from tests.shared.examples import ME, NOW

BOLD = Entity(EntityType.BOLD, 0, 3)
ASKED = Message(seq=1, at=NOW, message_id=5, author=ME, text="Tea or coffee?", entities=(BOLD,))
LINE = "✓ Tea · Ann"


def test_it_is_lulls_own_and_holds_nothing_up() -> None:
    assert kinds()["show-choice"] is ShowChoice
    assert "show-choice" not in unlockable()
    lost = ShowChoice.traits.on_failure
    assert (lost.is_incident, lost.is_told, lost.is_alone) == (False, False, True)
    assert not ShowChoice.traits.keeps_order


def test_the_text_keeps_its_entities_and_the_lines_stand_below_it() -> None:
    text = below([ASKED], 5, (LINE, "✓ Milk · Ann"))
    assert text is not None
    assert (text.text, text.entities) == (f"Tea or coffee?\n\n{LINE}\n✓ Milk · Ann", (BOLD,))


def test_the_text_is_that_of_the_latest_edit() -> None:
    edit = Edit(seq=2, at=NOW, message_id=5, author=ME, text="Tea, coffee, or milk?")
    text = below([ASKED, edit], 5, (LINE,))
    assert text is not None
    assert (text.text, text.entities) == (f"Tea, coffee, or milk?\n\n{LINE}", ())


@pytest.mark.parametrize("address", ["https://tea.example/", "https://other.example/"])
def test_a_preview_stays_and_none_is_added(address: str) -> None:
    linked = evolve(ASKED, text="https://tea.example/ ?", known_links=(address,))
    text = below([linked], 5, (LINE,))
    assert text is not None
    assert bool(text.preview) is (address in linked.text)


@pytest.mark.parametrize(
    "sent",
    [
        evolve(ASKED, message_id=6),
        evolve(ASKED, text=""),
        evolve(ASKED, media="a photo"),
        evolve(ASKED, text="x" * (LONGEST_MESSAGE - len(LINE) - 1)),
        evolve(ASKED, text="😀" * (LONGEST_MESSAGE // 2)),
    ],
)
def test_leaves_unknown_textless_and_full_messages_unchanged(sent: Message) -> None:
    assert below([sent], 5, (LINE,)) is None
    shown = ShowChoice.of([sent], 5, (LINE,), id="1")
    assert (shown.text, shown.lines) == ("", (LINE,))


def test_a_text_that_just_has_room_is_changed() -> None:
    fits = evolve(ASKED, text="x" * (LONGEST_MESSAGE - len(LINE) - 2))
    assert below([fits], 5, (LINE,)) is not None


def test_of_a_message_that_is_gone_only_what_is_new_is_said() -> None:
    shown = ShowChoice(id="1", message_id=5, lines=("✓ Milk · Ann", "✓ *Tea* · Ann"))
    said = shown.in_words()
    assert isinstance(said, Send)
    assert (said.id, said.text) == ("1", r"✓ \*Tea\* · Ann")


def test_a_plan_keeps_no_words_of_it_once_it_is_over() -> None:
    told = ShowChoice.of([ASKED], 5, (LINE,), id="1").without_text()
    assert (told.lines, told.text, told.entities) == ((TOLD,), "", ())
    assert told.summary() == "below message 5"
