"""Transcript entries after a person was removed from them."""

from typing import Any

import pytest

from shared.base.text import Entity, EntityType
from shared.privacy.deletion.entries import KEPT, without
from shared.privacy.deletion.forgotten import ForgottenSubject
from shared.values.deletion import ERASED, NOBODY
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import (
    AnyEntry,
    Author,
    ButtonPress,
    DueReminder,
    Edit,
    Event,
    MediaDescribed,
    Message,
    PlannedMessage,
    QuotedMessage,
    Reaction,
)
from tests.shared.examples import ANN, BOB, ME, NOW, said

MARK = "a violet bicycle with bells"
PHOTO = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u1", words=f"a photo: {MARK}")


def about_ann(*entries: AnyEntry) -> ForgottenSubject:
    who = ForgottenSubject(ANN.id, files=frozenset({"u1"}))
    who.learn(entries)
    return who


HERS = said(MARK, author=ANN, message_id=1, seq=1, turn=1)


def every_text(text: str) -> dict[str, Any]:
    """Return this text for each field of a message that may contain words."""
    return {
        "text": text, "media": text, "media_refs": (PHOTO,), "album_id": text, "choices": (text,), "confirms": text,
        "task": text, "known_links": (text,), "looked_up": (text,), "later": (PlannedMessage(seconds=1, text=text),),
        "reply": QuotedMessage(message_id=9, author=BOB, excerpt=text),
        "entities": (Entity(type=EntityType.TEXT_LINK, offset=0, length=2, url=text),),
        "reminder": DueReminder(id="r", due_at=NOW),
    }  # fmt: skip


def test_nothing_of_a_message_stays_but_where_it_stands() -> None:
    message = HERS.model_copy(update=every_text(MARK))
    left = without(message, about_ann(message))
    assert isinstance(left, Message)
    assert (left.author, left.text, left.seq, left.turn, left.message_id) == (NOBODY, ERASED, 1, 1, 1)
    assert MARK not in left.model_dump_json()
    assert str(ANN.id) not in left.model_dump_json()
    assert ANN.name not in left.model_dump_json()


def test_of_what_is_quoted_only_the_agents_words_lose_a_name() -> None:
    quotes = [QuotedMessage(message_id=9, author=one, excerpt="Ask Ann") for one in (BOB, ME)]
    left = [without(said("so?", author=BOB, reply=one), about_ann(HERS)) for one in quotes]
    assert [one.reply.excerpt for one in left if isinstance(one, Message) and one.reply] == ["Ask Ann", f"Ask {ERASED}"]


@pytest.mark.parametrize("kept", [{}, {"elsewhere": ()}])
def test_what_was_looked_up_for_others_loses_their_name(kept: dict[str, Any]) -> None:
    told = said("So.", author=ME, message_id=5, looked_up=("search Ann → nothing", "weather Kyiv → 4 °C"), **kept)
    left = without(told, about_ann(HERS))
    assert isinstance(left, Message)
    assert (left.text, left.looked_up[1]) == ("So.", "weather Kyiv → 4 °C")
    assert "Ann" not in left.model_dump_json()


def test_of_a_marked_part_goes_what_stood_around_it_too() -> None:
    link = Entity(type=EntityType.TEXT_LINK, offset=0, length=3, url="https://a.example")
    agents = QuotedMessage(
        message_id=9, author=ME, excerpt="Ask", around="Ask Ann", media="a file: Ann.txt", entities=(link,)
    )
    left = without(said("so?", author=BOB, reply=agents), about_ann(HERS))
    assert isinstance(left, Message)
    assert left.reply is not None
    assert (left.reply.excerpt, left.reply.around, left.reply.entities) == ("Ask", f"Ask {ERASED}", ())
    assert "Ann" not in left.model_dump_json()
    hers = QuotedMessage(message_id=9, author=ANN, excerpt="a", around=f"a {MARK}", media=MARK)
    assert MARK not in without(said("so?", author=BOB, reply=hers), about_ann(HERS)).model_dump_json()


def test_a_short_title_that_they_gave_goes_and_anybody_elses_stays() -> None:
    who = about_ann(said("/title Bells", author=ANN, message_id=1))
    left = [without(Event(at=NOW, kind="title_assigned", title=title), who) for title in ("Bells", "Whistles")]
    assert [one.title for one in left if isinstance(one, Event)] == ["", "Whistles"]


def test_of_what_others_wrote_only_what_names_them_goes() -> None:
    mentions = [
        Entity(type=EntityType.TEXT_MENTION, offset=n, length=1, user_id=one.id) for n, one in enumerate((ANN, BOB))
    ]
    told = said("a b: shall we?", author=BOB, entities=tuple(mentions), shown_of=(ANN.id, BOB.id))
    left = without(told, about_ann(HERS))
    assert isinstance(left, Message)
    assert (left.text, left.entities, left.shown_of) == (told.text, (mentions[1],), (BOB.id,))


def test_a_field_that_is_added_to_a_message_is_erased_unless_somebody_names_it() -> None:
    message = HERS.model_copy(update=every_text(MARK))
    left = without(message, about_ann(message))
    for name, field in Message.model_fields.items():
        if name not in {*KEPT, "type", "author", "text", "reply"}:
            assert getattr(left, name) == field.get_default(), f"{name} is kept of who was forgotten"


@pytest.mark.parametrize(
    "entry",
    [
        Edit(at=NOW, message_id=1, author=ANN, text=MARK, media=MARK),
        Reaction(at=NOW, message_id=1, author=ANN, emojis=("👍",)),
        ButtonPress(at=NOW, message_id=1, author=ANN, query_id="q", data=MARK),
        MediaDescribed(
            at=NOW, message_ids=(1,), kind=MediaKind.PHOTO, unique_id="u1",
            description=Description(outcome=DescriptionOutcome.DESCRIBED, shows=MARK),
        ),
        Event(at=NOW, kind="title_assigned", title=MARK),
        Event(at=NOW, kind="memory", note=f"it is remembered: {MARK}"),
        said("hm", author=BOB, reply=QuotedMessage(message_id=1, author=ANN, excerpt=MARK, media_refs=(PHOTO,))),
        said(MARK, author=BOB, forwarded_from=ANN, media_refs=(PHOTO,)),
        said(f"You like {MARK}.", author=ME, turn=1),
        said(f"Somebody likes {MARK}.", author=ME, turn=7),
        said("So, Ann.", author=ME, turn=7),
        said("Bob added Ann", author=BOB, is_service=True),
        said(f"pinned a message: {MARK}", author=BOB, is_service=True),
        said("here", author=ME, turn=7, entities=(Entity(type=EntityType.TEXT_LINK, length=4, url="t.me/ann_a"),)),
        said("here", author=ME, entities=(Entity(type=EntityType.TEXT_LINK, length=4, url=f"tg://user?id={ANN.id}"),)),
        said(f"It is {ANN.id}.", author=ME, turn=7),
        said("Paper", author=BOB, forwarded_from=Author(id=-7, name="The Paper (Ann)")),
        said(
            "so?",
            author=BOB,
            reply=QuotedMessage(message_id=9, author=BOB, forwarded_from=Author(id=-7, name="It (Ann)")),
        ),
        said("look, Annie", author=BOB, entities=(Entity(type=EntityType.TEXT_MENTION, offset=6, user_id=ANN.id),)),
    ],
    ids=lambda entry: entry.type,
)  # fmt: skip
def test_whatever_tells_of_them_tells_nothing_any_more(entry: AnyEntry) -> None:
    who = about_ann(HERS)
    left = without(entry, who).model_dump_json()
    assert MARK not in left
    assert str(ANN.id) not in left
    assert '"Ann"' not in left
    assert without(without(entry, who), who) == without(entry, who)
    assert without(entry, who) != entry


def test_what_others_say_stays_word_for_word() -> None:
    who = about_ann(HERS)
    own: tuple[AnyEntry, ...] = (
        said("I like Ann", author=BOB, message_id=2),
        said("Tea, Bob?", author=ME, turn=3),
        Reaction(at=NOW, message_id=1, author=BOB, emojis=("👍",)),
        Event(at=NOW, kind="poll"),
        MediaDescribed(
            at=NOW, message_ids=(2,), kind=MediaKind.PHOTO, unique_id="u2",
            description=Description(outcome=DescriptionOutcome.DESCRIBED, shows="a cat"),
        ),
    )  # fmt: skip
    assert [without(one, who) for one in own] == list(own)


def test_a_reply_to_them_says_that_it_was_one_and_whom_it_answers_stays_of_others() -> None:
    reply = said("hm", author=BOB, reply=QuotedMessage(message_id=1, author=ANN, excerpt=MARK))
    left = without(reply, about_ann(HERS))
    assert isinstance(left, Message)
    assert (left.text, left.reply) == ("hm", QuotedMessage(message_id=1, author=NOBODY, excerpt=ERASED))


def test_of_a_forward_it_stays_who_brought_it() -> None:
    left = without(said(MARK, author=BOB, forwarded_from=ANN), about_ann(HERS))
    assert isinstance(left, Message)
    assert (left.author, left.text, left.forwarded_from) == (BOB, ERASED, None)


def test_who_forwards_something_of_theirs_that_is_known_by_no_other_way_is_found_by_it() -> None:
    who = ForgottenSubject(ANN.id)
    who.learn([said(MARK, author=BOB, forwarded_from=Author(id=ANN.id, name="Annie"))])
    assert (who.said.is_repeated_in(MARK), set(who.said.names), who.heard.messages) == (True, {"Annie"}, set())


def test_what_others_said_themselves_and_the_answer_to_it_stay() -> None:
    first = said("peanuts and penicillin are bad for people", author=ANN, message_id=1, turn=1, seq=1)
    bobs = said("peanuts and penicillin are bad for me", author=BOB, message_id=2, turn=2, seq=2)
    answer = said("I see: peanuts and penicillin.", author=ME, message_id=3, turn=2, seq=3)
    who = about_ann(first, bobs, answer)
    assert [without(one, who) for one in (bobs, answer)] == [bobs, answer]
    forwarded = evolve(bobs, forwarded_from=ANN)
    assert without(answer, about_ann(first, forwarded)) != answer, "what is passed on is nobody's own word"


def test_what_was_pinned_goes_and_that_it_was_stays() -> None:
    who = about_ann(HERS, said("tea", author=ANN, message_id=2), said("tea", author=BOB, message_id=3))
    left = [without(said(f"pinned a message: {one}", author=BOB, is_service=True), who) for one in (MARK, "tea")]
    assert [getattr(one, "text", "") for one in left] == [f"pinned a message: {ERASED}", "pinned a message: tea"]


def test_a_number_in_json_stays_one() -> None:
    told = said("So.", author=ME, confirms=f'{{"kind":"unblock","person":{ANN.id}}}', is_by_lull=True)
    left = without(told, about_ann(HERS))
    assert isinstance(left, Message)
    assert left.confirms == '{"kind":"unblock","person":0}'


def test_a_file_of_theirs_that_an_agent_sent_again_goes_and_one_of_others_stays() -> None:
    other = evolve(PHOTO, unique_id="u2", words="a photo: tea")
    sent = said("Here.", author=ME, message_id=5, media="a photo", media_refs=(PHOTO, other))
    quoting = said(
        "so?", author=BOB, message_id=6, reply=QuotedMessage(message_id=5, author=ME, media_refs=(PHOTO, other))
    )
    who = about_ann(HERS)
    left, quoted = without(sent, who), without(quoting, who)
    assert isinstance(left, Message)
    assert isinstance(quoted, Message)
    assert (left.text, left.media_refs) == ("Here.", (other,))
    assert quoted.reply is not None
    assert quoted.reply.media_refs == (other,)


def test_who_signs_a_channels_posts_does_not_lose_their_name_to_it() -> None:
    signed = said("news", author=BOB, message_id=5, forwarded_from=Author(id=-7, name="The Paper (Ann)"))
    told = said("So, Ann.", author=ME, message_id=6)
    left = without(told, about_ann(HERS, signed, told))
    assert isinstance(left, Message)
    assert left.text == f"So, {ERASED}."


def test_a_title_that_they_gave_is_theirs() -> None:
    who = about_ann(said("renamed the group: Bells", author=ANN, is_service=True))
    assert who.said.has("Bells")
