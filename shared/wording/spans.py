"""Spans of time in words, by their two greatest units: `2 d 5 h`, `12 min`."""

from datetime import timedelta

from shared.wording.words import Phrase, Words


def span_in(words: Words, span: timedelta) -> Phrase:
    """A span in whole minutes, one at least. Units are abbreviated, so that they need no plural."""
    minutes = max(1, round(span.total_seconds() / 60))
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return words.say("span.days_hours", days=days, hours=hours) if hours else words.say("span.days", days=days)
    if hours:
        if minutes:
            return words.say("span.hours_minutes", hours=hours, minutes=minutes)
        return words.say("span.hours", hours=hours)
    return words.say("span.minutes", minutes=minutes)
