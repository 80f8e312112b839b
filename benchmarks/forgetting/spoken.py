"""Ways in which a person's words are stored: Zed's messages and actions, and messages in which agents and others
repeat, answer or forward Zed's words.
"""

from dataclasses import replace

from benchmarks.forgetting.way import (
    BOB,
    CLUB,
    EVE,
    MARK,
    OF_PRIVATE,
    OF_ROOM,
    OLGA,
    OWNED,
    ROOM,
    SECRET,
    STAYS,
    THEIRS,
    ZED,
    Talk,
    Way,
    agent,
    bob,
    edit_of,
    eve,
    olga,
    own,
    owners,
    private,
    room,
    zed,
)  # fmt: skip
from shared.base.text import Entity, EntityType
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import Author, ButtonPress, Event, MediaDescribed, PlannedMessage, QuotedMessage, Reaction
from tests.shared.examples import ME, NOW

NUMBER = str(ZED.id)
HIDDEN = Author(id=0, name=ZED.name)
FILE = MediaRef(kind=MediaKind.DOCUMENT, file_id="f", unique_id="u1", words=f"a file: {MARK}.pdf")
PICTURE = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a shelf", written=SECRET)
SPOKEN = Description(outcome=DescriptionOutcome.DESCRIBED, says=SECRET)
OF_OTHERS_TALK = evolve(OF_ROOM, people=(77,), chat_id=-9)
MENTION = Entity(type=EntityType.TEXT_MENTION, offset=0, length=3, user_id=ZED.id)

#: a decision not to answer a message
SILENT = Decision(respond=False, reason="nothing calls the agent", tier=DecisionTier.NONE)
PHONE, MAIL = "+380 44 000 11 22", "li@heron.example"
LINK = Entity(type=EntityType.TEXT_LINK, offset=0, length=4, url="https://t.me/zedrick_q")

OWN = (
    Way("a message in private", (own(zed()), room())),
    Way("an answer in private", (own(zed("how?"), agent(f"So: {SECRET}.")), room())),
    Way("a message in a group", (room(zed()),)),
    Way("a message in a conversation that was left", (room(zed(), leaves=True), room())),
    Way("a message that the window has no more", (room(zed(), *(bob(f"{n} {THEIRS}") for n in range(60))),)),
    Way("a message that was edited", (room(zed(), edit_of(1, "never mind")),)),
    Way("an edit", (room(zed("hello"), edit_of(1, SECRET)),)),
    Way("a caption", (room(zed(media="a photo")),)),
    Way("what a file is called", (room(zed("", media=FILE.words, media_refs=(FILE,))),)),
    Way("a contact", (room(zed("", media=f"a contact: {MARK}, +380440001122")),), gone=(MARK, "380440001122")),
    Way("a place", (room(zed("", media=f"a place: {MARK}, 1 Some Street")),)),
    Way("a poll", (room(zed("", media=f"a poll: {SECRET}? yes / no")),)),
    Way("a sticker", (room(zed("", media=f"a sticker: {MARK}")),)),
    Way("what a picture shows", (room(zed("", media_refs=(evolve(FILE, description=PICTURE),))),)),
    Way(
        "what a voice message says",
        (
            room(
                zed("", media="a voice message", media_refs=(evolve(FILE, kind=MediaKind.VOICE),)),
                MediaDescribed(at=NOW, message_ids=(1,), kind=MediaKind.VOICE, unique_id="u1", description=SPOKEN),
            ),
        ),
    ),
    Way("what they forward", (room(zed(forwarded_from=Author(id=77, name="Ursula"))),), gone=(MARK, "Ursula")),
    Way(
        "what they quote", (room(bob("tea"), zed("no", reply=QuotedMessage(message_id=1, author=BOB, excerpt=SECRET))),)
    ),
    Way("a reaction", (room(bob("tea"), Reaction(at=NOW, message_id=1, author=ZED, emojis=("🦚",))),), gone=("🦚",)),
    Way(
        "a button that they pressed",
        (room(agent("Which?"), ButtonPress(at=NOW, message_id=1, author=ZED, query_id="q9", data=f"choice:{MARK}")),),
    ),
    Way("a choice that they pressed", (room(agent("Which?"), zed(message_id=-5, reply=QuotedMessage(message_id=1))),)),
    Way("a command with words", (room(zed(f"/title {SECRET}", is_command=True)),)),
    Way("a title that they gave", (room(zed(f"/title {MARK}"), Event(at=NOW, kind="title_assigned", title=MARK)),)),
    Way("an answer in their turn", (room(zed("how?", turn=1), agent(SECRET, turn=1)),)),
    Way(
        "an answer to a command",
        (
            room(
                zed("/zone Asia/Baku", is_command=True),
                agent("Your time zone: Baku", is_command=True, reply=QuotedMessage(message_id=1, author=ZED)),
                edit_of(2, "Your time zone: Baku, still", author=ME),
            ),
        ),
        gone=("Baku",),
    ),
    Way("their number", (room(zed("tea")),), gone=(NUMBER,)),
    Way("their username", (room(zed("tea")),), gone=(ZED.username,)),
    Way("their words with another agent", (Talk(replace(ROOM, agent="other"), (zed(), bob())),)),
)

REPEATED = (
    Way("what an agent repeats", (room(zed(), bob("how?"), agent(f"So: {SECRET}.")),)),
    Way("a code that an agent repeats", (room(zed("it is xk4471902b"), agent("xk4471902b")),), gone=("xk4471902b",)),
    Way("a phone that an agent repeats otherwise", (
        room(zed(f"it is {PHONE}"), bob("so?"), agent("0440001122")),
    ), gone=(PHONE, "0440001122")),
    Way("what an agent repeats in Korean", (
        room(zed("금고 비밀번호는 왜가리"), bob("so?"), agent("네, 금고 비밀번호는 왜가리.")),
    ), gone=("왜가리",)),
    Way("what an agent repeats in Vietnamese", (
        room(zed("mật khẩu két sắt là chim diệc"), bob("so?"), agent("Mật khẩu két sắt là chim diệc.")),
    ), gone=("chim diệc",)),
    Way("a page that an agent repeats", (
        room(zed("https://heron.example/jam"), bob("so?"), agent("See heron.example/jam.")),
    ), gone=("heron.example",)),
    Way("an address that an agent repeats", (room(zed(MAIL), bob("so?"), agent(f"Write to {MAIL}")),), gone=(MAIL,)),
    Way("a link of an agent's to their account", (
        room(zed("tea"), bob("so?"), agent("Here.", entities=(LINK,))),
    ), gone=("zedrick_q",)),
    Way("their number in an agent's words", (room(zed("tea"), bob("so?"), agent(f"It is {NUMBER}.")),), gone=(NUMBER,)),
    Way("what somebody pinned", (room(zed(), bob(f"pinned a message: {SECRET}", is_service=True)),)),
    Way("the name below a channel's post", (
        room(zed("tea"), bob("so", forwarded_from=Author(id=-77, name="The Paper (Zedrick Quillonby)"))),
    ), gone=("Quillonby",), stays=(STAYS, "The Paper")),
    Way("an edit of an agent's", (room(zed(), agent("So."), edit_of(2, SECRET, author=ME)),)),
    Way("what an agent offers", (room(zed(), agent("Which?", choices=(SECRET, "tea"))),)),
    Way("what an agent will say", (room(zed(), agent("Soon.", later=(PlannedMessage(seconds=60, text=SECRET),))),)),
    Way("what an agent did", (room(zed(), agent("", task=f'{{"kind":"show","text":"{SECRET}"}}')),)),
    Way("what an agent confirmed", (room(zed(), agent("Done.", is_by_lull=True, confirms=f'{{"text":"{SECRET}"}}')),)),
    Way("an effect that is told", (room(zed(), Event(at=NOW, kind="effect", note=f"you remembered: {SECRET}")),)),
    Way("a choice of their words that another pressed", (room(zed(), agent("Which?"), bob(SECRET, message_id=-5)),)),
    Way("a reply with their words", (
        room(zed(), bob("so?", reply=QuotedMessage(message_id=1, author=ZED, excerpt=SECRET))),
    )),
    Way("a quote in another chat", (
        room(zed()), private(bob("?", reply=QuotedMessage(message_id=0, author=ZED, excerpt=SECRET))),
    )),
    Way("a quote of an answer to them", (
        room(
            zed("how?", turn=1), agent(SECRET, turn=1),
            bob("so?", reply=QuotedMessage(message_id=2, author=ME, excerpt=SECRET)),
        ),
    )),
    Way("a forward in the group", (room(zed("tea"), bob(SECRET, forwarded_from=ZED)),)),
    Way("a forward in private", (room(zed("tea")), private(bob(SECRET, forwarded_from=ZED)))),
    Way("a forward in private of who never wrote elsewhere", (private(bob(SECRET, forwarded_from=ZED)),)),
    Way("an edit of a forward", (room(zed("tea"), bob(SECRET, forwarded_from=ZED), edit_of(2, SECRET, author=BOB)),)),
    Way("a forward while their account was hidden", (own(zed("hi")), private(bob(SECRET, forwarded_from=HIDDEN)))),
    Way("a forward under their first name", (
        own(zed()), private(bob(SECRET, forwarded_from=Author(id=0, name="Zedrick"))),
    ), gone=()),
    Way("a quote of a forward", (
        room(zed("tea")), private(bob(SECRET, forwarded_from=ZED), bob(
            "so?", reply=QuotedMessage(message_id=2, author=BOB, forwarded_from=ZED, excerpt=SECRET))),
    )),
    Way("an answer to a forward", (
        room(zed("tea")), private(agent("So."), bob(SECRET, forwarded_from=ZED), agent("Heron marmalade?")),
    )),
    Way("a mention of their account", (room(zed("tea"), bob("Zed, come", entities=(MENTION,))),), gone=(NUMBER,)),
    Way("what was recalled elsewhere", (room(zed()), private(agent("First marmalade.", elsewhere=(OF_ROOM,))))),
    Way("an edit of what was recalled", (
        room(zed()), private(agent("So.", message_id=7), edit_of(7, "First marmalade.", ME, elsewhere=(OF_ROOM,))),
    )),
    Way("a quote of what was recalled", (
        room(zed()),
        private(
            agent("First marmalade.", elsewhere=(OF_ROOM,)),
            bob("so?", reply=QuotedMessage(message_id=2, author=ME, excerpt="First marmalade.")),
        ),
    )),
    Way("what the owner had found in private", (
        OWNED, own(zed()), owners(agent("It is marmalade.", elsewhere=(OF_PRIVATE,))),
    )),
    Way("what was recalled in a group they are not in", (
        room(zed()), Talk(CLUB, (bob(), agent("First marmalade.", elsewhere=(OF_ROOM,)))),
    )),
)  # fmt: skip

#: texts by others, which must stay
OF_OTHERS = (
    Way("usual words that somebody else says, too", (
        room(
            zed("have a good morning all"), agent("So."),
            bob("have a good morning all"), agent("Have a good morning all!"),
        ),
    ), gone=(), stays=("have a good morning all", "Have a good morning all!")),
    Way("what somebody tells of themselves after them", (
        room(
            zed("I am allergic to walnuts and hazel"), agent("So."),
            bob("I am allergic to walnuts and hazel"), agent("You are allergic to walnuts."),
        ),
    ), gone=(), stays=("allergic to walnuts and hazel", "You are allergic to walnuts.")),
    Way("what an agent said before they did", (
        room(agent("The lantern hangs behind the mirror."), zed("the lantern hangs behind the mirror")),
    ), gone=(), stays=("The lantern hangs behind the mirror.",)),
    Way("what somebody says of their words", (room(zed(), bob("so marmalade it is"),),), gone=(SECRET,),
        stays=("so marmalade it is",)),
    Way("a forward of somebody else", (room(zed("tea"), bob(forwarded_from=EVE)),), gone=("tea",)),
    Way("a forward of who hid their account, of the same first name", (
        own(zed("hi")), private(bob(forwarded_from=Author(id=0, name="Zedrick Bean"))),
    ), gone=(), stays=(STAYS, "Zedrick Bean")),
    Way("a quote of somebody else", (
        room(zed("tea"), eve(), bob("so?", reply=QuotedMessage(message_id=2, author=EVE, excerpt=THEIRS))),
    ), gone=(), stays=(STAYS, EVE.name)),
    Way("an answer to somebody else", (room(zed("x y"), agent("So."), bob("tea?"), agent("A samovar.")),),
        gone=(), stays=("A samovar.",)),
    Way("what was recalled of others elsewhere", (
        room(zed()), private(agent("A samovar.", elsewhere=(OF_OTHERS_TALK,))),
    ), stays=(STAYS, "A samovar.")),
    Way("fewer than three words in a row to somebody else", (
        room(zed("purple samovar please")), private(agent("A purple samovar.")),
    ), gone=(), stays=("A purple samovar.",)),
    Way("an answer to somebody else in a turn in which they spoke", (
        room(zed("good morning", turn=1, decision=SILENT), eve("tea?", turn=1), agent("A samovar.", turn=1)),
    ), gone=("good morning",), stays=("tea?", "A samovar.")),
    Way("an answer below somebody else's message", (
        room(
            zed("how?", turn=1), eve("tea?", turn=1),
            agent("A samovar.", turn=1, reply=QuotedMessage(message_id=2, author=EVE, excerpt="tea?")),
        ),
    ), gone=("how?",), stays=("tea?", "A samovar.")),
    Way("a title of what somebody else said, too", (
        room(zed("samovars"), bob("/title Samovars"), Event(at=NOW, kind="title_assigned", title="Samovars")),
    ), gone=(), stays=("/title Samovars", '"title": "Samovars"')),
    Way("another page of a site that they named", (
        room(zed("https://en.wikipedia.org/wiki/Heron"), agent("So."), eve("tea?"), agent("https://en.wikipedia.org/wiki/Samovar")),
    ), gone=("Heron",), stays=("https://en.wikipedia.org/wiki/Samovar",)),
    Way("a date in words that they named, too", (
        room(zed("see you on 28 November 2026"), agent("So."), eve("when?"), agent("On 28 November 2026.")),
    ), gone=("see you",), stays=("On 28 November 2026.",)),
    Way("what everybody says each day", (
        room(zed("Good morning everyone!"), agent("So."), eve("hi"), agent("Good morning everyone, the samovar is on")),
    ), gone=(), stays=("the samovar is on",)),
    Way("a date that they named, too", (
        room(zed("28.11.2026 10:30"), agent("So."), eve("when?"), agent("On 28.11.2026 10:30.")),
    ), gone=(), stays=("On 28.11.2026 10:30.",)),
    Way("a longer number", (room(zed("tea"), bob(f"the bill is {NUMBER}7")),), gone=(), stays=(f"{NUMBER}7",)),
    Way("a reaction of somebody else", (room(zed("tea"), Reaction(at=NOW, message_id=1, author=BOB, emojis=("🦉",))),),
        gone=(), stays=("🦉",)),
    Way("what the owner was told of others", (OWNED, own(zed()), owners(olga("so?"), agent("A samovar."))),
        stays=(STAYS, "A samovar.", OLGA.name)),
)  # fmt: skip

SPOKEN_WAYS = (*OWN, *REPEATED, *OF_OTHERS)
