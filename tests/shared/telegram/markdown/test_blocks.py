"""Texts under construction."""

from shared.base.text import Entity, EntityType, utf16_length
from shared.telegram.markdown.blocks import TextWriter


def test_the_length_is_in_utf16_units() -> None:
    assert [utf16_length(text) for text in ("", "a", "é", "😀", "\ud83d")] == [0, 1, 1, 2, 1]


def test_a_line_begins_once_and_not_before_any_text() -> None:
    writer = TextWriter()
    writer.begin_line(after_blank_line=True)
    writer.write("a")
    writer.begin_line(after_blank_line=False)
    writer.begin_line(after_blank_line=True)
    writer.write("b")
    writer.begin_line(after_blank_line=True)
    writer.write("c")
    assert writer.text == "a\nb\n\nc"


def test_a_mark_waits_for_text_and_stays_out_of_the_entity() -> None:
    writer = TextWriter(mark="• ")
    writer.open(EntityType.BOLD)
    writer.write("a😀")
    writer.close(EntityType.BOLD)
    assert (writer.text, writer.entities) == ("• a😀", [Entity(EntityType.BOLD, 2, 3)])


def test_a_style_in_itself_or_around_nothing_is_no_entity() -> None:
    writer = TextWriter()
    for kind in (EntityType.ITALIC, EntityType.BOLD, EntityType.BOLD):
        writer.open(kind)
    writer.close(EntityType.BOLD)
    assert writer.is_in(EntityType.BOLD)
    writer.write("a")
    writer.close(EntityType.BOLD)
    assert not writer.is_in(EntityType.BOLD)
    writer.open(EntityType.BOLD)
    writer.close(EntityType.BOLD)
    assert writer.entities == [Entity(EntityType.BOLD, 0, 1)]


def test_a_link_without_an_address_is_no_entity() -> None:
    writer = TextWriter()
    writer.open(EntityType.TEXT_LINK)
    writer.write("a")
    writer.close(EntityType.TEXT_LINK)
    assert writer.entities == []


def test_blank_code_is_no_entity() -> None:
    writer = TextWriter()
    writer.write_as(EntityType.PRE, " \n")
    assert (writer.text, writer.entities) == (" \n", [])
