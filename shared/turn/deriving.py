"""Deriving: whose words of other conversations a plan used, of those that its model was shown.

Whoever is forgotten takes along what was made of their words in other chats. So each plan notes what it was shown,
and each of its messages what of that it may have used. The judgement is made while the texts are at hand: words in
common tell. Where there are none at all, as in a translation, everything that the model looked up may have been used;
what lull recalled by itself comes with every answer, so of that only what is written in another script.
"""

from collections.abc import Iterable, Sequence

from shared.deciding.names import script_of
from shared.models.message import AnyEntry, Message
from shared.models.origin import Elsewhere, ShownElsewhere, merged
from shared.search.terms import telling_terms
from shared.tasks.task import Task


def derived(
    tasks: Sequence[Task],
    asked: str,
    shown: Sequence[ShownElsewhere],
    entries: Iterable[AnyEntry],
    language: str = "",
) -> tuple[tuple[Elsewhere, ...], ...]:
    """Return, for each task, what of the shown messages its words may be made of.

    `asked` are the words that the plan answers, which tell nothing. `entries` are those of the plan's own conversation:
    an answer of the agent's there may have been made of messages from elsewhere itself.
    """
    earlier = [entry for entry in entries if isinstance(entry, Message) and entry.elsewhere]
    if not shown and not earlier:
        return ()
    asked_terms = telling_terms(asked, language)
    used = [telling_terms(" ".join(_texts(task)), language) - asked_terms for task in tasks]
    known = [(one.where, [(person, telling_terms(text, language)) for person, text in one.said]) for one in shown]
    found = [list(filter(None, (_used_of(where, said, terms) for where, said in known))) for terms in used]
    if not any(found):
        written = _scripts(text for task in tasks for text in _texts(task))
        maybe = [one.where for one in shown if one.is_looked_up or not written & _scripts(text for _, text in one.said)]
        found = [[] if task.memory_wish is not None else list(maybe) for task in tasks]
    answers = [(entry.elsewhere, telling_terms(entry.text, language)) for entry in earlier]
    for own, terms in zip(found, used, strict=True):
        own += [where for elsewhere, said in answers if terms & said for where in elsewhere]
    return tuple(map(merged, found))


def _texts(task: Task) -> Iterable[str]:
    """Every text of a task that people will read, be told or be reminded of."""
    wish, arranged, file = task.memory_wish, task.arrangement or task.reminder_change, task.wanted_file
    later = (arranged.text or "", arranged.instruction or "") if arranged is not None else ()
    return (task.words, *task.offered, wish.text if wish else "", *later, file.words if file else "")


def _scripts(texts: Iterable[str]) -> set[str]:
    return {script_of(letter) for text in texts for letter in set(text) if letter.isalpha()}


def _used_of(where: Elsewhere, said: Sequence[tuple[int, frozenset[str]]], used: frozenset[str]) -> Elsewhere | None:
    """Return the messages with those people whose words were used; with all where the agent's own were."""
    people = {person for person, terms in said if used & terms}
    if not people or 0 in people:
        return where if people else None
    return where.model_copy(update={"people": tuple(one for one in where.people if one in people)})
