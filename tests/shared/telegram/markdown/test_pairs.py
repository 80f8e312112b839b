"""Pairs of tags."""

from shared.telegram.markdown.tags import TAG, TagNode, pairs_in

KNOWN = frozenset({"b", "i", "p", "br", "ul", "li"})


def outline(part: TagNode) -> list[object]:
    return [one if isinstance(one, str) else [one.name, *outline(one)] for one in part.parts if one]


def test_pairs_hold_each_other() -> None:
    assert outline(pairs_in("a<b>b<i>c</i></b>d", KNOWN)) == ["a", ["b", "b", ["i", "c"]], "d"]


def test_what_has_no_partner_is_text() -> None:
    assert outline(pairs_in("a<b>b<i>c</b>", KNOWN)) == ["a", ["b", "b", "<i>", "c"]]
    assert outline(pairs_in("a</b><x>b</x>", KNOWN)) == ["a</b><x>b</x>"]


def test_parts_begin_a_line() -> None:
    assert outline(pairs_in("a <p>b</p>", KNOWN)) == ["a <p>b</p>"]
    assert outline(pairs_in("a\n<p>b</p>", KNOWN)) == ["a\n", ["p", "b"]]


def test_a_part_knows_its_source_and_what_it_says() -> None:
    part = TagNode("a", '<a HREF="x&amp;y" class=z>', "</a>", ["b"])
    assert part.source == '<a HREF="x&amp;y" class=z>b</a>'
    assert part.attributes == {"href": "x&y", "class": "z"}


def test_lists_of_items_alone_are_told() -> None:
    items = pairs_in("<ul> <li>a</li> <li>b</li></ul>", KNOWN).parts[1]
    assert isinstance(items, TagNode)
    assert items.holds_only("li")
    assert [item.inside for item in items.children("li")] == ["a", "b"]
    assert not TagNode("ul", "<ul>", "</ul>", ["x"]).holds_only("li")


def test_attributes_have_values() -> None:
    assert TAG.match("<b and c>") is None
    assert TAG.match('<b class="x">') is not None
