"""Makes transcripts of all forms, for property tests."""

from datetime import UTC, datetime

from hypothesis import strategies as st

from shared.base.model_call import ModelCall
from shared.values.chat import Chat, ChatClaim, CurrentConversation
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import (
    TITLED,
    AnyEntry,
    Author,
    ButtonPress,
    Edit,
    Event,
    MediaDescribed,
    Message,
    QuotedMessage,
    Reaction,
)
from shared.values.notes import NotedEvent, history_text
from shared.values.prompt import CompressionSummary
from shared.values.transcript import Transcript, Vector
from tests.shared.examples import NOW, SECOND

CONVERSATION = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
KEY = ChatKey(agent="lull", chat_id=-100_500, topic_id=7)
ANN = Author(id=5, name="Ann", username="ann")
AGENT = Author(id=1, name="lull", is_bot=True, is_agent=True)


def message(seq: int, text: str, author: Author = ANN, **more: object) -> Message:
    """Make a message that comes a second after the entry with the number before."""
    return Message.model_validate(
        {"seq": seq, "at": NOW + seq * SECOND, "message_id": 100 + seq, "author": author, "text": text, **more}
    )


def exchange(*texts: str, conversation: str = CONVERSATION, key: ChatKey = KEY) -> Transcript:
    """Make an exchange between Ann and the agent."""
    entries = tuple(
        message(n, text, AGENT if n % 2 == 0 else ANN, turn=(n + 1) // 2) for n, text in enumerate(texts, start=1)
    )
    chat = Chat(
        key=key,
        kind=ChatKind.PRIVATE,
        conversation=conversation,
        talk=CurrentConversation(seq=len(entries)),
        claim=ChatClaim(generation=3),
    )
    document = {
        "agent": key.agent, "chat": key.id, "chat_kind": "private", "title": "", "entries": len(entries),
        "updated_at": entries[-1].at,
    }  # fmt: skip
    return Transcript(conversation=conversation, document=document, chat=chat, entries=entries)


_ids = st.integers(-(2**62), 2**62)
_moments = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
_texts = st.text(max_size=60)
_authors = st.builds(Author, id=_ids, name=_texts, username=_texts, is_bot=st.booleans(), is_agent=st.booleans())
calls = st.builds(
    ModelCall,
    model=_texts,
    prompt_tokens=st.integers(0, 10**6),
    cached_tokens=st.integers(0, 10**6),
    thought_tokens=st.integers(0, 10**6),
    output_tokens=st.integers(0, 10**6),
    ms=st.integers(0, 10**6),
    problem=_texts,
)
_decisions = st.none() | st.builds(
    Decision,
    respond=st.booleans(),
    reason=_texts,
    tier=st.sampled_from(DecisionTier),
    ms=st.integers(0, 90_000),
    calls=st.lists(calls, max_size=1).map(tuple),
)
_entities = st.lists(
    st.fixed_dictionaries({"type": st.just("bold"), "offset": st.integers(0, 9), "length": st.integers(1, 9)}),
    max_size=2,
).map(tuple)
_common = {"at": _moments, "updates": st.lists(st.integers(0, 2**40), max_size=2).map(tuple)}
_messages = st.builds(
    Message,
    **_common,
    message_id=_ids,
    author=_authors,
    text=_texts,
    entities=_entities,
    media=_texts,
    media_refs=st.lists(
        st.builds(
            MediaRef, kind=st.sampled_from(MediaKind), file_id=_texts, unique_id=_texts, is_spoiler=st.booleans()
        ),
        max_size=2,
    ).map(tuple),
    album_id=_texts,
    reply=st.none()
    | st.builds(
        QuotedMessage,
        message_id=_ids,
        author=st.none() | _authors,
        forwarded_from=st.none() | _authors,
        excerpt=_texts,
    ),
    forwarded_from=st.none() | _authors,
    is_service=st.booleans(),
    decision=_decisions,
    plan=st.sampled_from(["", "one", "two"]),
    turn=st.integers(0, 99),
    calls=st.lists(calls, max_size=2).map(tuple),
)
_edits = st.builds(
    Edit,
    **_common,
    message_id=_ids,
    author=_authors,
    text=_texts,
    entities=_entities,
    media=_texts,
    decision=_decisions,
)
_described = st.builds(
    MediaDescribed,
    **_common,
    message_ids=st.lists(_ids, max_size=3).map(tuple),
    kind=st.sampled_from(MediaKind),
    unique_id=_texts,
    description=st.builds(
        Description, outcome=st.sampled_from(DescriptionOutcome), shows=_texts, says=_texts, why=_texts
    ),
    is_with_message=st.booleans(),
    decision=_decisions,
)
_reactions = st.builds(
    Reaction, **_common, message_id=_ids, author=st.none() | _authors, emojis=st.lists(_texts, max_size=2).map(tuple)
)
_presses = st.builds(ButtonPress, **_common, message_id=_ids, author=_authors, query_id=_texts, data=_texts)
_events = st.builds(Event, **_common, kind=_texts | st.just(TITLED), note=_texts, title=_texts)
compressions = st.builds(CompressionSummary, up_to_seq=st.integers(0, 99), text=_texts, made_at=_moments)


def _numbered(entries: list[AnyEntry]) -> tuple[AnyEntry, ...]:
    return tuple(evolve(entry, seq=n) for n, entry in enumerate(entries, start=1))


entries = st.lists(st.one_of(_messages, _edits, _reactions, _presses, _described, _events), max_size=8).map(_numbered)
values = st.recursive(
    st.none() | st.booleans() | _ids | st.floats(allow_nan=False) | _texts | _moments | st.binary(max_size=9)
    | st.lists(st.floats(-1, 1), max_size=3).map(Vector),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts | st.just("$time"), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
documents = st.dictionaries(st.text(min_size=1, max_size=9), values, max_size=4)
chats = st.builds(
    Chat,
    key=st.builds(ChatKey, agent=st.just("lull"), chat_id=_ids, topic_id=st.integers(0, 9)),
    kind=st.sampled_from(ChatKind),
    title=_texts,
    conversation=st.just(CONVERSATION),
    seq=st.integers(0, 99),
    generation=st.integers(0, 99),
    active_until=st.none() | _moments,
)


_made = st.one_of(
    st.builds(NotedEvent, at=_moments, title=st.text("ab", min_size=1), topics=st.just(("tea",))),
    st.builds(NotedEvent, at=_moments, topics=st.just(("tea", "cake"))),
    st.builds(NotedEvent, at=_moments, abbreviation=st.text("ab", min_size=1), holds_outside=st.booleans()),
)
histories = st.lists(_made, max_size=3).map(lambda made: history_text(sorted(made, key=lambda one: one.at)))


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    """Draw any valid transcript."""
    return Transcript(
        conversation=CONVERSATION,
        document=draw(documents) | draw(histories.map(lambda text: {"history": text} if text else {})),
        chat=draw(st.none() | chats),
        entries=draw(entries),
        compression=draw(st.none() | compressions),
    )
