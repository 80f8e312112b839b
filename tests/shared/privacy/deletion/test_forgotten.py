"""A person's words in other people's forwards, options and quotes."""

import json
from datetime import timedelta

import pytest

from shared.privacy.deletion.entries import without
from shared.privacy.deletion.forgotten import ForgottenSubject
from shared.values.deletion import ERASED
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind
from shared.values.message import AnyEntry, Author, Edit, MediaDescribed, Message, QuotedMessage
from tests.shared.examples import ANN, BOB, ME, NOW, said

MARK = "a violet bicycle with bells"
FULL = evolve(ANN, name="Ann Quillonby")
NAMESAKE = evolve(BOB, name="Ann")


def hidden(name: str = "Ann") -> Author:
    return Author(id=0, name=name)


def forward(text: str, name: str = "Ann", **more: object) -> Message:
    return said(text, author=BOB, message_id=7, forwarded_from=hidden(name), **more)


def after(*entries: AnyEntry, alone: tuple[AnyEntry, ...] = ()) -> ForgottenSubject:
    who = ForgottenSubject(ANN.id)
    who.learn_private(alone)
    who.begin("conv-1")
    who.learn(entries)
    who.settle()
    return who


def is_gone(entry: AnyEntry, who: ForgottenSubject) -> bool:
    return getattr(without(entry, who), "text", "") == ERASED


@pytest.mark.parametrize(
    ("passed_on", "there", "alone", "goes"),
    [
        (forward("something else"), [said("hi", author=ANN)], [], True),
        (forward("something else"), [], [said("hi", author=ANN)], False),
        (forward(f"So: {MARK}."), [], [said(f"so {MARK}", author=ANN)], True),
        (forward("ok then"), [said("ok then", author=ANN), said("hm", author=NAMESAKE)], [], True),
        (forward("something else", "Ann  QUILLONBY"), [], [said("hi", author=FULL)], True),
        (forward("something else", "Ann Bean"), [said("hi", author=FULL)], [], False),
        (forward("something else"), [said("hi", author=ANN), said("hm", author=NAMESAKE)], [], False),
        (forward(MARK, "Zoe"), [], [said(MARK, author=ANN)], True),
        (forward(f"{MARK} and a basket", "Zoe"), [said(MARK, author=ANN)], [], False),
        (forward("see you", "Zoe"), [said("see you", author=ANN)], [], False),
        (forward(MARK, "Zoe"), [said(MARK, author=ANN), said(MARK, author=BOB, message_id=3)], [], False),
    ],
    ids=[
        "their name, where they speak", "a first name, where they do not", "a first name with their words",
        "a first name that another has with a few words of theirs",
        "a whole name anywhere", "another whole name", "a name that another has there",
        "their very words by another name", "more than their words", "a few words", "what another said, too",
    ],
)  # fmt: skip
def test_what_is_passed_on_of_who_hid_their_account_goes_by_name_and_words(
    passed_on: Message, there: list[AnyEntry], alone: list[AnyEntry], *, goes: bool
) -> None:
    who = after(*there, passed_on, alone=tuple(alone))
    assert is_gone(passed_on, who) is goes
    assert (without(passed_on, who) == passed_on) is not goes


def test_what_is_passed_on_later_or_was_before_they_had_the_name_stays() -> None:
    who = ForgottenSubject(ANN.id, until=NOW)
    who.learn([said("hi", author=ANN)])
    assert is_gone(forward("hm"), who)
    for hours in (-1, 1):
        assert not is_gone(forward("hm", at=NOW + timedelta(hours=hours)), who)


def test_what_was_made_of_a_hidden_forward_goes_and_its_name_keeps_nobodys_name() -> None:
    passed_on = forward("the heron marmalade biscuit is behind the clock")
    who = after(said("hi", author=ANN), passed_on)
    answer = said("So, the heron marmalade biscuit. Ann knows.", author=ME, message_id=8, turn=3)
    quote = said("hm", author=BOB, message_id=9, reply=QuotedMessage(message_id=7, author=BOB, excerpt="the heron"))
    pinned = said(
        "hm", author=BOB, reply=QuotedMessage(message_id=0, author=hidden(), excerpt="the heron marmalade biscuit")
    )
    picture = MediaDescribed(
        at=NOW, message_ids=(7,), kind=MediaKind.PHOTO, unique_id="u",
        description=Description(outcome=DescriptionOutcome.DESCRIBED, shows="a heron"),
    )  # fmt: skip
    assert is_gone(answer, who)
    for entry in (quote, pinned, picture):
        left = without(entry, who).model_dump_json()
        assert "heron" not in left
        assert "Ann" not in left
    assert "Ann" not in without(said("Ask Ann.", author=ME, message_id=9), who).model_dump_json()


def test_an_answer_to_nothing_but_their_words_goes_and_one_to_a_question_beside_them_stays() -> None:
    asked = said("what is it?", author=BOB, message_id=5, turn=2)
    answers = [said("A bird.", author=ME, message_id=10 + turn, turn=turn) for turn in (1, 2)]
    who = after(said("hi", author=ANN), forward("heron", turn=1), forward("gannet", turn=2), asked, *answers)
    assert [is_gone(one, who) for one in answers] == [True, False]


def test_what_somebody_chose_goes_if_it_repeats_them_and_a_plain_answer_stays() -> None:
    hers = said("the safe opens with heron marmalade biscuit", author=ANN, turn=1)
    asked = said("Which is it?", author=ME, message_id=2, turn=1, choices=("heron marmalade biscuit", "Yes"))
    who = after(hers, asked)
    below = QuotedMessage(message_id=2, author=ME, excerpt="Which is it?")
    told = said("chose: heron marmalade biscuit", author=BOB, message_id=-3, reply=below)
    yes = said("chose: Yes", author=BOB, message_id=-4, reply=below)
    assert is_gone(asked, who)
    assert is_gone(told, who)
    left = without(yes, who)
    assert isinstance(left, Message)
    assert (left.text, left.reply) == ("chose: Yes", QuotedMessage(message_id=2, author=ME, excerpt=ERASED))
    named = without(said("chose: Ask Ann", author=BOB, message_id=-5), who)
    assert isinstance(named, Message)
    assert named.text == f"chose: Ask {ERASED}"


def test_an_answer_to_them_goes_in_its_edits_and_quotes_as_well() -> None:
    who = after(said("hi", author=ANN, turn=1), said("Tea at five.", author=ME, message_id=2, turn=1))
    assert is_gone(Edit(at=NOW, message_id=2, author=ME, text="Tea at six."), who)
    quote = said("so?", author=BOB, message_id=3, reply=QuotedMessage(message_id=2, author=ME, excerpt="Tea at five."))
    assert "Tea" not in without(quote, who).model_dump_json()


def test_an_update_that_passes_on_what_they_wrote_is_theirs_and_one_that_quotes_it_is_not() -> None:
    who = after(said("hi", author=FULL))
    origin = {"type": "hidden_user", "sender_user_name": "Ann Quillonby"}
    passed_on = {"message_id": 5, "from": {"id": BOB.id}, "text": "heron", "forward_origin": origin}
    quoting = {"message": {"message_id": 6, "from": {"id": BOB.id}, "text": "hm", "reply_to_message": passed_on}}
    elsewhere = {"message": {"message_id": 6, "text": "hm", "external_reply": {"origin": origin, "caption": "heron"}}}
    known = {"message": passed_on | {"forward_origin": {"type": "user", "sender_user": {"id": ANN.id}}}}
    for raw in ({"message": passed_on}, quoting, elsewhere, known):
        assert who.is_in_update(raw)
    assert [who.update_without(raw) for raw in ({"message": passed_on}, known)] == [None, None]
    for raw in (quoting, elsewhere):
        left = who.update_without(raw) or ""
        assert '"hm"' in left
        assert "heron" not in left
        assert "Quillonby" not in left
    another = {"message": passed_on | {"forward_origin": origin | {"sender_user_name": "Ann Bean"}}}
    assert not who.is_in_update(another)


def test_an_update_below_what_a_bot_wrote_of_them_is_theirs_and_what_people_call_them_is_not() -> None:
    who = after(said("hi", author=FULL))
    told = {"message_id": 5, "from": {"id": ME.id, "is_bot": True}, "text": "Ask Quillonby."}
    assert who.is_in_update({"callback_query": {"from": {"id": BOB.id}, "message": told}})
    assert who.is_in_update({"message": {"message_id": 6, "from": {"id": BOB.id}, "reply_to_message": told}})
    by_bob = {"message_id": 6, "from": {"id": BOB.id, "is_bot": False}, "text": "Ask Quillonby."}
    assert not who.is_in_update({"message": by_bob})


def test_a_whole_name_that_another_has_anywhere_tells_only_with_their_words() -> None:
    who = ForgottenSubject(ANN.id)
    who.begin("conv-1")
    who.learn([said("hi", author=FULL), said(MARK, author=FULL)])
    who.begin("conv-2")
    forwards = [forward("tea at noon", FULL.name, turn=1), forward(MARK, FULL.name, turn=2)]
    answers = [said("So.", author=ME, message_id=10 + turn, turn=turn) for turn in (1, 2)]
    who.learn([*forwards, *answers])
    who.settle()
    assert [is_gone(one, who) for one in (*forwards, *answers)] == [True] * 4
    who = ForgottenSubject(ANN.id)
    who.begin("conv-1")
    who.learn([said(MARK, author=FULL)])
    who.begin("conv-2")
    who.learn([*forwards, *answers])
    who.begin("conv-3")
    who.learn([said("hello", author=evolve(BOB, name=FULL.name))])
    who.settle()
    who.begin("conv-2")
    assert [is_gone(one, who) for one in (*forwards, *answers)] == [False, True, False, True]


def test_the_body_of_an_incident_tells_of_them_by_their_number_words_or_name() -> None:
    who = after(said(f"so {MARK}", author=FULL))
    plan = {"tasks": [{"text": "tea"}]}
    update = {"update_id": 7, "message": {"text": "Ann Quillonby is here"}}
    for one in ({"tasks": [{"text": MARK}]}, {"tasks": [{"text": "Ask Quillonby."}]}, {"from": {"id": ANN.id}}):
        assert who.is_in_body(json.dumps(one))
    assert not any(who.is_in_body(json.dumps(one)) for one in (plan, update))
    assert who.is_in_body(f'{{"text": "{MARK}')
    assert not who.is_in_body("")
