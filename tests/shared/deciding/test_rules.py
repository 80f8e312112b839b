"""The decision whether a message is answered, and its reason."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.deciding.circumstances import OwnIdentity
from shared.deciding.rules import decide, decide_in
from shared.telegram.inbound.entries import entry_of
from shared.values.chat_key import ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import Author, Message, QuotedMessage
from tests.shared.deciding.groups import PEOPLE, ROBO, SELF, answered, circumstances, command, group, mention
from tests.shared.examples import ANN, BOB, ME, NOW, PROPERTY, SECOND, said
from tests.shared.expected import EXPECTED
from tests.shared.updates import BOT_ID, RAW, USERNAME, stored

LINK_TO_DEE = {"type": "text_mention", "offset": 0, "length": 3, "user": {"id": 77}}
NAMELESS = OwnIdentity(ME.id, "lull_bot")
OTHER_BOT = Author(id=5, name="Robo", is_bot=True)


@pytest.mark.parametrize("name", RAW)
def test_every_message_of_the_collection_is_decided_for_its_reason(name: str) -> None:
    update = stored(name)
    entry = entry_of(update, BOT_ID)
    kind = update.envelope.chat_kind
    decision = decide(entry, kind, OwnIdentity(BOT_ID, USERNAME)) if isinstance(entry, Message) else None
    assert (decision.reason if decision else "") == EXPECTED[name].reason


@pytest.mark.parametrize(
    ("message", "kind", "reason", "tier"),
    [
        (said("hi"), ChatKind.PRIVATE, "private chat", DecisionTier.CHAT),
        (said("hi", is_service=True), ChatKind.PRIVATE, "an event, nothing said", DecisionTier.NONE),
        (said("hi", author=OTHER_BOT), ChatKind.PRIVATE, "a bot's", DecisionTier.NONE),
        (said("hi", author=ME), ChatKind.GROUP, "the agent's own", DecisionTier.NONE),
        (
            said("hi", reply=QuotedMessage(message_id=1, author=ME)),
            ChatKind.GROUP,
            "a reply to the agent",
            DecisionTier.EXPLICIT,
        ),
        (
            said("hi", reply=QuotedMessage(message_id=1, author=ANN)),
            ChatKind.SUPERGROUP,
            "not addressed",
            DecisionTier.NONE,
        ),
        (said("hi", reply=QuotedMessage(message_id=1)), ChatKind.SUPERGROUP, "not addressed", DecisionTier.NONE),
        (
            said("hi", author=OTHER_BOT, reply=QuotedMessage(message_id=1, author=ME)),
            ChatKind.GROUP,
            "a bot's",
            DecisionTier.NONE,
        ),
        (
            said("hi", reply=QuotedMessage(message_id=1, author=ME)),
            ChatKind.CHANNEL,
            "a channel's post",
            DecisionTier.NONE,
        ),
        (said("hi"), ChatKind.NONE, "a channel's post", DecisionTier.NONE),
    ],
)
def test_the_reason_and_what_decided(message: Message, kind: ChatKind, reason: str, tier: DecisionTier) -> None:
    decision = decide(message, kind, NAMELESS)
    assert (decision.reason, decision.tier) == (reason, tier)
    assert decision.respond is (tier is not DecisionTier.NONE)


def last(*lines: str, step: float = 5, **fields: Any) -> Decision:
    """Return the decision on the last of the lines written in a group."""
    *earlier, message = group(*lines, step=timedelta(seconds=step))
    return decide_in(message, circumstances(earlier, **fields))


#: two turns of Ann with the agent
ASKED = ("Ann: @lull_bot when does it open?", "lull > Ann: At nine.")

ANSWERED = [
    (("Ann: @LULL_bot hi",), "mentioned"),
    (("Ann: Lull, hi",), "called by name"),
    (("Ann: どう思う、ルル？",), "called by name"),
    (("lull: hi", "Ann > lull: hi"), "a reply to the agent"),
    (("Ann: /roll@lull_bot",), "named by a command"),
    (("Ann: /help",), "a command"),
    (("Robo: hi", "lull: hi", "Ann: /help"), "a command"),
    (("Ann: good morning", "Bob > Ann: lull, what do you say?"), "called by name"),
    (("Ann: the moon is far", "Bob > Ann: hey lull, is that so?"), "called by name"),
    (("Ann: the moon is far", "Bob > Ann: lull is that so?"), "called by name"),
    (("Ann: the moon is far", "Bob > Ann: is that so lull?"), "called by name"),
    (("Ann: Місяць далеко", "Bob > Ann: lull це правда?"), "called by name"),
    (("Ann: 月は遠い", "Bob > Ann: ルルさん、本当？"), "called by name"),
    (("Bob: hm", *ASKED, "Ann: Bob says it's ten, is that so?"), "a follow-up"),
    (("Bob: hm", *ASKED, "Ann: is Bob there too?"), "a follow-up"),
    ((*ASKED, "Ann: and on Sundays"), "a follow-up"),
    ((*ASKED, "Bob: hm", "Ann: и по воскресеньям"), "a follow-up"),
    ((*ASKED, "Bob: and on Sundays?"), "a question right after the agent's words"),
    ((*ASKED, "Bob: ומה בשבת?"), "a question right after the agent's words"),
    ((*ASKED, "Bob: 日曜日は？"), "a question right after the agent's words"),
    (("Ann: who is in?", "lull: me", "Ann: great", "lull: when?", "Ann: at nine"), "a follow-up"),
]
SILENT = [
    (("Ann: good morning",), "not addressed"),
    (("Ann: what a lullaby",), "not addressed"),
    (("Ann: @lull_bots hi",), "not addressed"),
    (("Ann: /roll@robo_bot @lull_bot",), "another bot's command"),
    (("Ann: /unknown",), "not addressed"),
    (("lull: hi", "Robo: hi", "Ann: /help"), "not addressed"),
    ((*ASKED, "Ann: /unknown"), "not addressed"),
    ((*ASKED, "Bob > Ann: and on Sundays?"), "for somebody else"),
    (("Cem: hi", *ASKED, "Bob: Cem, is that so?"), "for somebody else"),
    ((*ASKED, "Bob: @cem_y is that so?"), "for somebody else"),
    (("Bob: hm", *ASKED, "Ann: hey Bob, coming?"), "for somebody else"),
    (("Bob: hm", *ASKED, "Ann: привіт Bob, ти йдеш?"), "for somebody else"),
    (("Bob: hm", *ASKED, "Ann: Danke! Bob, kommst du mit?"), "for somebody else"),
    (("Bob: hm", *ASKED, "Ann: ありがとう！Bob、来る？"), "for somebody else"),
    (("Bob: うん", *ASKED, "Ann: Bobさん、行く？"), "for somebody else"),
    (("Bob: hm", *ASKED, "Ann: Bob kommst du mit?"), "for somebody else"),
    (("Bob: hm", *ASKED, "Bob: Ann are you going?"), "for somebody else"),
    (("Ann: hi", "Bob > Ann: did lull answer you?"), "unclear: named, but to somebody else"),
    (("Ann: hi", "Bob: Ann, did lull answer you?"), "unclear: named, but to somebody else"),
    ((*ASKED, "Bob > Ann: shall we go?", "Ann: yes"), "not addressed"),
    ((*ASKED, "Bob: nice weather today"), "unclear: perhaps a follow-up"),
    ((*ASKED, "Bob: coming to lunch?", "Ann: sure"), "unclear: perhaps a follow-up"),
    ((*ASKED, "Bob: nice", "Cem: who has the ball?"), "not addressed"),
    ((*ASKED, "Ann: thanks", "Ann: bye"), "unclear: perhaps a follow-up"),
    (("Bob: hm", "Ann > Bob: I think that lull is wrong"), "unclear: named, but to somebody else"),
    (("Ann: @lull_bot hi", "lull: hi", "Robo: and me?"), "a bot's"),
    (("Robo: @lull_bot hi",), "a bot's"),
]


@pytest.mark.parametrize(("lines", "reason"), ANSWERED)
def test_what_is_answered_in_a_group(lines: tuple[str, ...], reason: str) -> None:
    decision = last(*lines)
    assert (decision.respond, decision.reason) == (True, reason)


@pytest.mark.parametrize(("lines", "reason"), SILENT)
def test_what_is_not_answered_in_a_group(lines: tuple[str, ...], reason: str) -> None:
    assert last(*lines) == Decision(respond=False, reason=reason, tier=DecisionTier.NONE)


@pytest.mark.parametrize(
    ("step", "expected"), [(60, "a follow-up"), (61, "unclear: perhaps a late follow-up"), (121, "not addressed")]
)
def test_a_follow_up_comes_within_a_minute_and_a_talk_is_over_after_two(step: float, expected: str) -> None:
    assert last(*ASKED, "Ann: and on Sundays", step=step).reason == expected


def test_the_windows_are_manners() -> None:
    assert last(*ASKED, "Ann: and then", step=100, follow_up=timedelta(seconds=100)).respond
    assert not last(*ASKED, "Ann: and then", active=timedelta(seconds=4)).respond


def test_others_keep_a_talk_alive_but_not_its_follow_ups() -> None:
    chatter = [f"{name}: hm" for name in ("Bob", "Cem") * 6]
    assert last(*ASKED, *chatter, "Ann: and on Sundays").reason == "unclear: perhaps a late follow-up"
    assert last(*ASKED, *chatter, *chatter, "Ann: and on Sundays").reason == "not addressed"


def test_a_crowd_in_between_does_not_take_a_follow_up_away() -> None:
    question, *rest = group("Ann: @lull_bot when?", "lull: At nine.", *["Bob: hm", "Cem: hm"] * 10, step=SECOND)
    message = said("and on Sundays", message_id=99, at=NOW + timedelta(seconds=37))
    assert decide_in(message, circumstances([answered(question), *rest])).reason == "a follow-up"


@pytest.mark.parametrize(
    ("before", "more"),
    [
        ("Ann: hey lull", "Ann: what's the weather like"),
        ("Ann: lull, note: eggs", "Ann: und Milch"),
        ("Ann: ルル", "Ann: 明日は晴れる？"),
    ],
)
def test_who_goes_on_before_the_agent_has_written_is_answered(before: str, more: str) -> None:
    first, second, third = group(before, more, "Ann: and so on")
    decision = decide_in(second, circumstances([answered(first)]))
    assert (decision.reason, decision.tier) == ("more of what the agent was told", DecisionTier.FOLLOW_UP)
    assert decide_in(third, circumstances([answered(first), second])).respond
    assert decide_in(second, circumstances([first])).reason == "not addressed"


def test_who_goes_on_after_an_answer_to_which_they_replied_is_answered() -> None:
    ask, answer, thanks, more = group(*ASKED, "Ann: ok thanks", "Ann: oh and on Mondays")
    assert decide_in(more, circumstances([answered(ask), answer, answered(thanks)])).respond


def test_who_goes_on_late_to_others_or_after_others_is_not() -> None:
    first, late = group("Ann: lull, note: eggs", "Ann: and milk", step=timedelta(seconds=61))
    assert not decide_in(late, circumstances([answered(first)])).respond
    stop, other = group("Ann: /help", "Ann: and milk")
    assert not decide_in(other, circumstances([answered(stop)])).respond
    for lines in (("Bob: hm", "Ann: and milk"), ("Bob: hm", "Bob: and milk"), ("Ann: @bob, hi",), ("Ann: /unknown",)):
        first, *between, more = group("Ann: lull, note: eggs", *lines)
        assert not decide_in(more, circumstances([answered(first), *between])).respond


def test_a_reminder_is_answered_like_what_was_said_when_it_was_asked_for() -> None:
    ask, promise, reminder, again, other = group(
        "Ann: lull, remind me in 5 minutes to make tea",
        "lull: I will.",
        "lull: Time to make tea!",
        "Ann: remind me again in 5 minutes please",
        "Bob: nice weather today",
    )
    later = [evolve(m, at=m.at + timedelta(minutes=5)) for m in (reminder, again, other)]
    spoken = [answered(ask), promise, later[0]]
    assert decide_in(later[1], circumstances(spoken)).reason == "a follow-up"
    assert not decide_in(later[2], circumstances(spoken)).respond


@pytest.mark.parametrize(
    "lines",
    [
        (*ASKED, "Bob: nice weather today"),
        (*ASKED, "Bob: and on Sundays?"),
        (*ASKED, "Ann: thanks", "Ann: bye"),
        ("Bob: hm", "Ann > Bob: I think that lull is wrong"),
    ],
)
def test_what_is_unclear_is_left_to_the_judge_if_the_agent_asks_one(lines: tuple[str, ...]) -> None:
    decision = last(*lines, asks_judge=True)
    assert (decision.respond, decision.tier) == (False, DecisionTier.JUDGE)


@pytest.mark.parametrize("lines", [ANSWERED[0][0], (*ASKED, "Ann: and then"), SILENT[0][0], (*ASKED, "Bob > Ann: hm?")])
def test_what_is_clear_is_not(lines: tuple[str, ...]) -> None:
    assert last(*lines, asks_judge=True) == last(*lines)


def test_a_mention_in_code_or_a_name_in_a_quotation_is_none() -> None:
    for kind, text in (("code", "@lull_bot"), ("pre", "lull, hi"), ("blockquote", "lull, hi"), ("url", "lull.example")):
        message = said(text, entities=({"type": kind, "offset": 0, "length": len(text)},))
        assert not decide_in(message, circumstances()).respond


def test_a_bot_that_mentions_the_agent_is_answered_once_if_the_agent_may() -> None:
    assert last("Robo: @lull_bot hi", answers_bots=True).reason == "mentioned by a bot"
    assert not last("Robo: lull, hi", answers_bots=True).respond
    assert last("Ann: hi", "Robo: hm", "Robo: @lull_bot hi", answers_bots=True).respond
    assert not last("Ann: hi", "lull: @robo_bot hi", "Robo: @lull_bot hi", answers_bots=True).respond
    assert not last("Robo: @lull_bot hi", answers_bots=True, is_muted=True).respond
    assert not last("Robo: @lull_bot hi", answers_bots=True, kind=ChatKind.CHANNEL).respond


def test_two_agents_cannot_loop() -> None:
    said_by_both = ["Ann: go"]
    answers = 0
    for _ in range(6):
        said_by_both.append("Robo: @lull_bot your turn")
        if last(*said_by_both, answers_bots=True).respond:
            answers += 1
            said_by_both.append("lull: @robo_bot your turn")
    assert answers == 1


def test_in_a_muted_chat_only_the_agents_commands_are_answered() -> None:
    assert last("Ann: /unmute", is_muted=True).respond
    assert last("Ann: /unmute@lull_bot", is_muted=True).respond
    assert last("Robo: hi", "Ann: /unmute@lull_bot", is_muted=True).respond
    assert last("Robo: hi", "Ann: /help lull", is_muted=True).reason == "the chat is muted"
    assert last("Ann: /help@robo_bot lull", is_muted=True).reason == "the chat is muted"
    assert last("Ann: @lull_bot hi", is_muted=True).reason == "the chat is muted"
    assert last("Ann: hi", is_muted=True, kind=ChatKind.PRIVATE).reason == "the chat is muted"
    assert last("Ann: /unmute", is_muted=True, kind=ChatKind.PRIVATE).respond


def test_in_a_private_chat_everything_a_person_says_is_answered() -> None:
    for line in ("Ann: hi", "Ann: /unknown", "Ann: /roll@robo_bot", "Ann: @bob hi"):
        assert last(line, kind=ChatKind.PRIVATE).tier is DecisionTier.CHAT


WORDS = st.text(max_size=12) | st.sampled_from(
    ["lull", "@lull_bot", "/help", "Bob,", "?", "ルル", "‏לול‏", "👩‍👩‍👧", "[meta]"]
)


@st.composite
def utterances(draw: st.DrawFn, place: int) -> Message:
    author = draw(st.sampled_from(list(PEOPLE.values())))
    text = " ".join(draw(st.lists(WORDS, max_size=4)))
    marked = mention(text, "@lull_bot") if "@lull_bot" in text else command(text) if text.startswith("/help") else ()
    reply = draw(st.none() | st.sampled_from([QuotedMessage(message_id=1, author=a) for a in (ME, BOB)]))
    at = NOW + timedelta(seconds=draw(st.integers(0, 400)))
    return said(text, author, place, at=at, entities=draw(st.just(marked) | st.just(())), reply=reply)


@PROPERTY
@given(st.data(), st.sampled_from(ChatKind), st.booleans(), st.booleans(), st.booleans())
def test_whatever_is_said_there_is_a_decision(
    data: st.DataObject, kind: ChatKind, is_muted: bool, asks_judge: bool, answers_bots: bool
) -> None:
    *earlier, message = (data.draw(utterances(place)) for place in range(1, data.draw(st.integers(2, 8))))
    place = circumstances(earlier, kind=kind, is_muted=is_muted, asks_judge=asks_judge, answers_bots=answers_bots)
    decision = decide_in(message, place)
    assert decision == decide_in(message, place)
    assert decision.reason
    assert decision.respond is (decision.tier in {DecisionTier.CHAT, DecisionTier.EXPLICIT, DecisionTier.FOLLOW_UP})
    assert asks_judge or decision.tier is not DecisionTier.JUDGE
    if message.author.is_bot:
        assert not decision.respond or (answers_bots and message.author == ROBO)
    if kind is ChatKind.PRIVATE and not (message.author.is_bot or is_muted):
        assert decision.tier is DecisionTier.CHAT


def test_a_decision_needs_nothing_to_have_been_said() -> None:
    assert decide_in(said("hi"), circumstances()).reason == "not addressed"
    assert (
        decide_in(said("hi", reply=QuotedMessage(message_id=1, author=BOB)), circumstances()).reason == "not addressed"
    )
    assert SELF.all_names


@pytest.mark.parametrize(
    "text", ["@lull_bot what do you think?", "lull, what do you think?", "/help@lull_bot", "/help"]
)
def test_what_somebody_else_wrote_and_is_forwarded_calls_nobody(text: str) -> None:
    message = group(f"Ann: {text}")[0]
    assert decide_in(message, circumstances()).respond
    forwarded = evolve(message, forwarded_from=BOB)
    assert not decide_in(forwarded, circumstances()).respond
    assert decide_in(forwarded, circumstances(kind=ChatKind.PRIVATE)).reason == "private chat"
    hidden = evolve(message, forwarded_from=Author(id=0, name="Ann"))
    assert not decide_in(hidden, circumstances()).respond


def test_who_forwards_their_own_words_or_replies_with_a_forward_is_answered() -> None:
    own = evolve(group("Ann: lull, what do you think?")[0], forwarded_from=ANN)
    assert decide_in(own, circumstances()).reason == "called by name"
    *before, reply = group("lull: hm", "Ann > lull: I owe Ann 500 euros")
    assert decide_in(evolve(reply, forwarded_from=BOB), circumstances(before)).reason == ("a reply to the agent")


#: the agent has answered Ann; Bob and Cem have written before
BEFORE = ("Bob: hm", "Cem: yes", *ASKED)


@pytest.mark.parametrize(
    "text",
    [
        "@robo_bot and what do you say?",
        "hey @robo_bot, is that so?",
        "what do you say @robo_bot?",
        "is that so, @cem_y?",
        "@bob look",
        "Bob, is that so?",
        "hi Bob: look at this",
        "Bob what do you say?",
        "look at this, Cem",
        "Cem Yıldız, schau mal",
        "привіт Bob, дивись",
        "Bobさん、どう思う？",
        "haha @cem_y @lull_fan look",
    ],
)
def test_a_reply_to_the_agent_that_calls_somebody_else_is_for_them(text: str) -> None:
    decision = last(*BEFORE, f"Ann > lull: {text}")
    assert (decision.respond, decision.reason) == (False, "a reply to the agent, but for somebody else")


@pytest.mark.parametrize(
    "text",
    [
        "tell @cem_y about it",
        "what do you know about @cem_y?",
        "is @cem_y in?",
        "and @cem_y?",
        "@lull_bot tell Bob",
        "lull, what does @cem_y think?",
        "@cem_y and lull, come here",
        "remind @cem_y of it at nine",
        "скажи @cem_y про це",
        "tell Bob, please",
        "ask Bob, he knows",
        "Bob comes too?",
        "Bob's birthday is tomorrow",
        "and for Bob?",
        "@ann_a is me",
        "thanks!",
    ],
)
def test_a_reply_to_the_agent_that_speaks_of_somebody_is_for_it(text: str) -> None:
    own = [evolve(m, author=evolve(ANN, username="ann_a")) for m in group(f"Ann: {text}")]
    *before, reply = group(*BEFORE, f"Ann > lull: {text}")
    assert decide_in(evolve(reply, author=own[0].author), circumstances(before)).respond


def test_a_reply_that_links_to_somebody_else_is_for_them() -> None:
    *before, reply = group(*BEFORE, "Ann > lull: Dee, what do you say?")
    linked = evolve(reply, entities=said("", entities=(LINK_TO_DEE,)).entities)
    assert not decide_in(linked, circumstances(before)).respond
    assert decide_in(linked, circumstances(before, kind=ChatKind.PRIVATE)).respond


def test_a_usual_word_calls_nobody() -> None:
    assert last("Ann: we had a lull in orders today").reason == "not addressed"
    assert last("Ann: lull, do we have orders today?").reason == "called by name"


def test_what_the_agent_said_in_another_chat_is_not_replied_to_here() -> None:
    message = said("look at that", ANN, reply=QuotedMessage(message_id=0, author=ME, excerpt="I am a teapot"))
    assert decide_in(message, circumstances()).reason == "not addressed"


@pytest.mark.parametrize(
    "text",
    [
        "@robo_bot what do you say?", "Bob, what do you think?", "fyi Bob", "Bob 😂", "@bob_b told you so", "cc @bob_b",
        "@robo_bot is that right?", "Bob, what do you think of lull?", "Bob have you tried lull?",
    ],
)  # fmt: skip
def test_a_reply_to_the_agent_that_calls_somebody_of_the_group_is_for_them(text: str) -> None:
    decision = last("Bob: morning", "Ann: @lull_bot hi", "lull > Ann: Tea is at five.", f"Ann > lull: {text}")
    assert (decision.respond, decision.reason) == (False, "a reply to the agent, but for somebody else")


@pytest.mark.parametrize(
    "text",
    [
        "@bob_b likes tea, remember that", "it's @bob_b", "write @bob_b a poem", "yes, @bob_b too", "tell Bob that",
        "@bob_b and I want two", "and what about Bob?", "Bob is wrong", "@bob_b is late",
    ],
)  # fmt: skip
def test_a_reply_to_the_agent_that_tells_of_somebody_else_is_for_the_agent(text: str) -> None:
    decision = last("Bob: morning", "Ann: @lull_bot hi", "lull > Ann: Tea is at five.", f"Ann > lull: {text}")
    assert (decision.respond, decision.reason) == (True, "a reply to the agent")


@pytest.mark.parametrize("text", ["Bob", "Bob.", "@bob_b", "bob!"])
@pytest.mark.parametrize(("asked", "responds"), [("Who brings the tea?", True), ("Tea is at five.", False)])
def test_a_name_alone_answers_a_question_of_the_agents(text: str, asked: str, responds: bool) -> None:
    *earlier, message = group("Bob: morning", "Ann: @lull_bot hi", f"lull > Ann: {asked}", f"Ann > lull: {text}")
    reply = QuotedMessage(message_id=3, author=ME, excerpt=asked)
    decision = decide_in(evolve(message, reply=reply), circumstances(earlier))
    assert decision.respond is responds


@pytest.mark.parametrize("text", ["can lull remind @bob_b?", "does lull know what @bob_b said?", "is lull with @bob_b"])
def test_who_is_only_told_of_is_not_who_is_spoken_to(text: str) -> None:
    assert last("Bob: morning", f"Ann: {text}").reason == "called by name"


@pytest.mark.parametrize(
    "text", ["Bob, what does lull think?", "@bob_b what does lull think?", "Bob do you know lull?"]
)
def test_a_question_to_somebody_about_the_agent_is_theirs(text: str) -> None:
    assert last("Bob: morning", f"Ann: {text}").reason == "unclear: named, but to somebody else"
