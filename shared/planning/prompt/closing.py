"""The closing part of a prompt, which changes with every plan: time, place, plans, and the messages to be answered."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby

from shared.planning.format.reply import reply_text
from shared.planning.prompt.escaping import clean_name, escape
from shared.planning.prompt.history import first_parts
from shared.planning.prompt.meant import MessageWithFiles, relevant_messages
from shared.planning.prompt.media import MEDIA_WORDINGS, is_described
from shared.planning.prompt.messages import short_name, shorten
from shared.planning.prompt.meta import iso_time
from shared.planning.prompt.scene import Scene, asker, meanings
from shared.tasks.plan import DeliveryState, PlannedTask
from shared.tasks.revoke import Revoke
from shared.values.agent import Codec, parse_zone
from shared.values.chat import Chat
from shared.values.media import SPOKEN, MediaRef
from shared.values.message import Message
from shared.values.prompt_format import PromptFormat
from shared.values.showing import file_key

#: the maximum number of messages to be answered that are named; if there are more, only the last ones are named
MOST_NAMED = 10
#: the fewest consecutive messages that are named as a range
LEAST_SPAN = 3
#: the maximum number of pending tasks that are listed: enough to plan them again
MOST_PENDING = 10
#: the maximum number of promised messages that are listed: enough for questions about them
MOST_PROMISED = 20
PENDING_CHARACTERS = 300
#: the number of next days that are listed with their dates; they include every day that people name without a date
NEXT_DAYS = 7
#: This text names no reminders. If each prompt did, a small model would set reminders for people who only say hello
NO_ZONE = "Their time zone is a guess."


def closing_part(scene: Scene) -> str:
    """Return the last part of the last turn, from `[now]` to `[RESPOND]`. People cannot write these two marks.

    A model that answers with bare text gets only a remark in brackets instead.
    """
    if scene.codec is Codec.TEXT:
        return _remark(scene)
    return "\n".join(("[now]", *_lines(scene), "[RESPOND]"))


def _lines(scene: Scene) -> Iterator[str]:
    zone = "" if scene.zones.timezone == "UTC" else f" in {scene.zones.timezone}"
    now = f"{iso_time(scene.now, scene.zone, 'seconds')}{zone}, {scene.now.astimezone(scene.zone):%A}"
    yield f"It is {now}. You are {scene.agent.front.name} in {_place(scene.chat)}."
    if scene.offer.schedules:
        yield _calendar(scene)
    if known := meanings(scene):
        said = ((name, json.dumps(value or "not known", ensure_ascii=False)) for name, value in known.items())
        yield f"In your instructions, {', '.join(f'{{{name}}} is {value}' for name, value in said)}."
    if replaced := [planned for planned in scene.answering.pending if planned.kept_from is None]:
        yield (
            "Still planned from before, and replaced by your new plan; plan again what should still happen: "
            + "; ".join(_pending_texts(replaced, scene.now))
        )
    if promised := [planned for planned in scene.answering.pending if planned.kept_from is not None]:
        yield _promises_line(promised, scene)
    yield from _blocked_lines(scene)
    if scene.outside:
        yield (
            f"What stands above holds words from outside: {', '.join(scene.outside)}. "
            f"So these are offered with a button, and done only when it is pressed: {', '.join(scene.offer.waiting)}. "
            "Plan them as ever, and do not say that they are done."
        )
    if scene.answering.targets:
        yield from _target_lines(scene)
        yield from _undescribed_file_lines(scene)
        if scene.offer.speaks and any(_is_spoken(m, scene) for m in scene.entries if isinstance(m, Message)):
            yield f"You are spoken to in a voice note, so answer by a `{scene.offer.speaks}`."


def _remark(scene: Scene) -> str:
    """Return the remark for a model that answers with bare text: the time, files it cannot see, whom to answer."""
    now = scene.now.astimezone(scene.zone)
    person = asker(scene)
    whom = f" {clean_name(person.name)}" if person is not None and not scene.chat.kind.is_of_one else ""
    language = f" in {scene.answering.language}" if scene.answering.language else ""
    answer = f"Answer{whom}{language}." if whom or language else ""
    said = (f"It is {now:%A}, {now.day} {now:%B %Y}, {now:%H:%M}.", *_undescribed_file_lines(scene), answer)
    return f"({' '.join(filter(None, said))})"


def _blocked_lines(scene: Scene) -> Iterator[str]:
    """Yield a line that lists the blocked people, if the owner may see them."""
    if scene.people.blocked:
        blocked = ", ".join(f"{clean_name(one.name)} (user_id {one.id})" for one in scene.people.blocked)
        yield f"Blocked, so that you answer them nowhere, newest first: {blocked}."


def _calendar(scene: Scene) -> str:
    """Return a line with the dates of the next days, since models miscalculate dates.

    If the person to be answered has another time zone, the line has the time and the dates of that zone.
    """
    here = scene.now.astimezone(parse_zone(scene.said_zone))
    days = (here.date() + timedelta(days=ahead) for ahead in range(1, NEXT_DAYS + 1))
    dates = ", ".join(f"{day:%a %m-%d}" if day.year == here.year else f"{day:%a %Y-%m-%d}" for day in days)
    dates, person = f"{dates}.{f' {NO_ZONE}' if scene.zones.is_zone_guessed else ''}", asker(scene)
    if not scene.zones.asker_timezone or person is None:
        return f"The next days: {dates}"
    at = iso_time(scene.now, here.tzinfo or UTC)
    there = scene.zones.asker_timezone
    return f"For {short_name(person)} it is {at} in {there}, {here:%A}. The next days there: {dates}"


def _place(chat: Chat) -> str:
    """Return words for the chat: its kind and title, and the forum topic if there is one."""
    place = f'the {chat.kind.value} chat "{clean_name(chat.title)}"' if chat.title else "a private chat"
    return f'{place}, in the topic "{clean_name(chat.topic)}"' if chat.topic else place


def _target_lines(scene: Scene) -> Iterator[str]:
    """Yield a line that says which messages to answer.

    In the formats without message ids, the line names the messages' authors; private chats need no line then.
    """
    if scene.format.names_messages:
        heads = first_parts(scene.entries)
        wanted = list(dict.fromkeys(heads.get(one, one) for one in scene.answering.targets if one > 0))
        named = [f"message{'s' * (len(wanted) > 1)} {_list(_spans(scene, wanted))}"] if wanted else []
        chose = dict.fromkeys(
            _unnamed_target(m) for m in scene.entries if isinstance(m, Message) and _is_chosen(m, scene)
        )
        yield f"Consider responding to {' and '.join((*named, *chose))}."
    elif not scene.chat.kind.is_of_one:
        asked = set(scene.answering.targets)
        if authors := [m.author for m in scene.entries if isinstance(m, Message) and m.message_id in asked]:
            is_plain = scene.format is PromptFormat.PLAIN
            names = dict.fromkeys(clean_name(one.name) if is_plain else short_name(one) for one in authors)
            yield f"Consider responding to {_list([(name, 1) for name in names])}."


def _undescribed_file_lines(scene: Scene) -> Iterator[str]:
    """Yield a line on relevant files that are neither shown nor described, since the model would invent the content."""
    counts = Counter(
        MEDIA_WORDINGS[ref.kind] for whole, _ in relevant_messages(scene) for ref in _unseen_files(whole, scene)
    )
    if counts:
        each = (f"{row.taken_in} the {row.word}{'s' if count > 1 else ''}" for row, count in counts.items())
        which = "it" if counts.total() == 1 else "them"
        yield f"You cannot {' or '.join(each)}: say so, and guess nothing about {which}."


def asks_about_unseen_files(scene: Scene) -> bool:
    """Return whether a message to answer, or one that it replies to, has a file that is neither shown nor described."""
    return any(
        _unseen_files(whole, scene)
        for whole, is_replied_to in relevant_messages(scene)
        if is_replied_to or whole.message.message_id in scene.answering.targets
    )


def _unseen_files(whole: MessageWithFiles, scene: Scene) -> list[MediaRef]:
    """Return the files of a message that are neither shown to the model nor described."""
    shown = {one.file for one in scene.attached}
    return [ref for ref in whole.refs if file_key(ref) not in shown and not is_described(ref)]


def _unnamed_target(message: Message) -> str:
    """Return words for a target that is not a message: the choice that somebody made, or a reminder that is due."""
    name = short_name(message.author)
    return f"what {name} chose" if message.reminder is None else f"the reminder of {name}"


def _is_chosen(message: Message, scene: Scene) -> bool:
    """Return whether a target is not a message that can be named: it is a button press or a reminder."""
    return message.message_id < 0 and message.message_id in scene.answering.targets


def _is_spoken(message: Message, scene: Scene) -> bool:
    """Return whether a target is a voice message that its sender recorded here, not one that was forwarded."""
    is_aloud = any(ref.kind in SPOKEN for ref in message.media_refs)
    return is_aloud and message.message_id in scene.answering.targets and not message.is_of_others_words


def _spans(scene: Scene, wanted: Sequence[int]) -> Sequence[tuple[str, int]]:
    """Return the ids of the messages to be answered, as single ids and ranges, each with its number of messages.

    A range may include the agent's own messages, since the model knows that it need not answer these.
    """
    people = [e.message_id for e in scene.entries if isinstance(e, Message) and not e.author.is_agent]
    asked = set(wanted)
    parts = {part for part, head in first_parts(scene.entries).items() if part != head}
    unknown = [one for one in wanted if one not in people]
    spans: list[tuple[str, int]] = []
    for in_a_row, some in groupby(dict.fromkeys((*people, *unknown)), lambda one: one in asked or one in parts):
        run = [one for one in some if one in asked]
        if in_a_row and len(run) >= LEAST_SPAN:
            spans.append((f"{run[0]} to {run[-1]}", len(run)))
        else:
            spans += [(str(one), 1) for one in run]
    return spans


def _list(names: Sequence[tuple[str, int]]) -> str:
    """Return the last few names; if earlier ones are left out, also the number of messages that those stand for."""
    more = sum(count for _, count in names[:-MOST_NAMED])
    return f"{', '.join(name for name, _ in names[-MOST_NAMED:])}{f', and the {more} before them' if more else ''}"


def _promises_line(promised: Sequence[PlannedTask], scene: Scene) -> str:
    """Return the line about promised messages: their tasks' ids, that they will be sent, and how to revoke them."""
    names = {m.author.id: short_name(m.author) for m in scene.entries if isinstance(m, Message)}
    example = reply_text((Revoke(id="1", task_id=promised[0].task.id),), scene.codec)
    told = [
        f"{one.task.id}{_for(one, names) if not scene.chat.kind.is_of_one else ''}: {_pending_text(one, scene.now)}"
        for one in promised[:MOST_PROMISED]
    ]
    more = f"; and {len(promised) - MOST_PROMISED} more tasks" if len(promised) > MOST_PROMISED else ""
    return (
        f"Promised before, and it stays beside your new plan; do not plan it again: {'; '.join(told)}{more}. "
        f"To take some of it back, with what follows it, when that is asked: {example}"
    )


def _for(planned: PlannedTask, names: Mapping[int, str]) -> str:
    known = [names[one] for one in planned.people if one in names]
    return f" (for {', '.join(known)})" if known else ""


def _pending_texts(pending: Sequence[PlannedTask], now: datetime) -> Iterator[str]:
    yield from (_pending_text(planned, now) for planned in pending[:MOST_PENDING])
    if len(pending) > MOST_PENDING:
        yield f"and {len(pending) - MOST_PENDING} more tasks"


def _pending_text(planned: PlannedTask, now: datetime) -> str:
    """Return words for the part of a task that is still to be done. A part that may have arrived counts as done."""
    gone = sum(delivery.state is not DeliveryState.PLANNED for delivery in planned.deliveries)
    told = planned.task.pending(gone, planned.not_before - now if planned.not_before else None)
    short = "" if told.text is None else f" {shorten(escape(told.text), PENDING_CHARACTERS)!r}"
    return f"{told.what}{short}"
