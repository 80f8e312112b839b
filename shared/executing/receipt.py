"""The receipt of an erasure: what was deleted, in numbers, and what is left, told where it was asked for."""

from datetime import datetime, timedelta
from typing import Final

from shared.models.erasure import Erasure, ErasureScope
from shared.models.reminder import Reminder, reminder_id
from shared.wording.words import Phrase, Words, bulleted, joined, words_in

#: what is counted, and the sentence that tells it
_TOLD: Final = ("entries", "conversations", "memories", "events", "files", "documents", "objects")


def receipt_of(erasure: Erasure, backup_days: int, now: datetime) -> Reminder:
    """The notice that tells it; `backup_days`: how long backups are kept, 0: there are none."""
    words = words_in(erasure.language)
    counts = [words.say(f"forget.count_{name}", count=n) for name in _TOLD if (n := erasure.counts.get(name, 0))]
    told = joined(_head(erasure, words), bulleted(*counts), _left(erasure, backup_days, words, now), by="\n\n")
    return Reminder(
        id=reminder_id("receipt", erasure.id),
        agent=erasure.key.agent,
        chat=erasure.chat,
        person=erasure.person,
        text=told,
        next_at=now,
        language=erasure.language,
        set_at=now,
        is_notice=True,
    )


def _head(erasure: Erasure, words: Words) -> Phrase:
    match erasure.scope:
        case ErasureScope.PERSON:
            return words.say("forget.done_person")
        case ErasureScope.GROUP:
            return words.say("forget.done_group")
        case ErasureScope.CONVERSATION:
            return words.say("forget.done_conversation")


def _left(erasure: Erasure, backup_days: int, words: Words, now: datetime) -> Phrase:
    backups = words.say("forget.backups", day=f"{now + timedelta(days=backup_days):%Y-%m-%d}")
    refused = [words.say("forget.refused")] if erasure.refused else []
    return joined(*refused, *([backups] if backup_days else []), words.say("forget.in_telegram"))
