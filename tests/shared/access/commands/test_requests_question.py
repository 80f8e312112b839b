"""The question to the owner about a request: who asks, what they wrote, and the buttons."""

from shared.access.commands.requests import offers, offers_to_show, question, requester_text
from shared.base.wording.words import words_in
from shared.commands.command import quoted
from shared.telegram.markdown.render import render
from shared.values.button_data import button_data, read_button
from tests.shared.examples import GROUP_KEY
from tests.shared.values.test_access_request import request

WORDS = words_in("en")


def test_a_stranger_s_name_and_words_are_shown_as_they_are_and_nothing_is_a_link() -> None:
    hostile = request(
        name="[me](https://evil.example) \u202eevil",
        username="eve",
        words="**hi** @all https://evil.example `x`\n\n# h",
    )
    (shown,) = render(question(WORDS, hostile))
    assert {one.type for one in shown.entities} == {"code"}
    assert "**hi** @all https://evil.example" in shown.text
    assert "\u202e" not in shown.text
    assert "@eve" in shown.text


def test_shows_nameless_people_by_id() -> None:
    assert requester_text(request(name="\u200b")) == f"? ({request().person})"
    assert question(WORDS, request()) == f"{requester_text(request())} wants to talk to me.", (
        "a file alone has no words"
    )


def test_a_name_that_runs_from_the_right_leaves_what_stands_behind_it_in_order() -> None:
    name = "\u0633\u0627\u0631\u0629"
    assert requester_text(request(name=name, username="sara")).startswith(f"\u200e\u2068`{name}`\u2069 (`@sara`, ")
    (shown,) = render(question(WORDS, request(name=name, words="hi")))
    assert shown.text.lstrip("\u2068").startswith("\u200e"), "the whole is English, and reads so"


def test_of_a_group_who_added_the_agent_is_told() -> None:
    told = question(WORDS, request(GROUP_KEY, title="Evil *plans*", words="hi"))
    assert "Evil *plans*" in render(told)[0].text
    assert quoted("Ann") in told
    assert "`hi`" not in told


def test_each_button_fits_and_names_the_request() -> None:
    for one in (request(), request(GROUP_KEY)):
        made = offers(WORDS, one)
        assert {o.argument[1:] for o in made} <= {one.id, str(one.person)}
        for offer in made:
            data = button_data(offer.command, f"conv-{'0' * 26}", offer.argument)
            assert len(data.encode()) <= 64
            assert read_button(data)[2] == offer.argument
    assert [o.argument[0] for o in offers(WORDS, request(GROUP_KEY))] == ["l", "g"]
    assert offers(WORDS, request(person=2**52))[-1].argument == f"n{2**52}", "the longest of Telegram's numbers"


def test_offers_a_button_for_newer_messages() -> None:
    (offer,) = offers_to_show(WORDS, request())
    assert (offer.text, offer.command, offer.argument) == ("Show", "requests", f"s{request().id}")
    assert offers_to_show(WORDS, request(GROUP_KEY)) == ()
