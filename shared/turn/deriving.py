"""Deriving: whose words of other conversations a plan used, of those that its model was shown.

Whoever is forgotten takes along what was made of their words in other chats. So each plan notes what it was shown,
and each of its messages what of that it may have used. The judgement is made while the texts are at hand: words in
common tell; where there are none at all, as in a translation, everything that was shown may have been used.
"""

from collections.abc import Iterable, Sequence

from shared.models.message import AnyEntry, Message
from shared.models.origin import Elsewhere, ShownElsewhere
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
    plain = telling_terms(asked, language)
    terms = [telling_terms(" ".join(_texts(task)), language) - plain for task in tasks]
    found = [tuple(filter(None, (_used_of(one, used, language) for one in shown))) for used in terms]
    if not any(found):
        all_shown = tuple(one.where for one in shown)
        found = [() if task.memory_wish is not None else all_shown for task in tasks]
    inherited = [_inherited(earlier, used, language) for used in terms]
    return tuple(tuple(dict.fromkeys((*own, *old))) for own, old in zip(found, inherited, strict=True))


def _texts(task: Task) -> Iterable[str]:
    """Every text of a task that people will read, be told or be reminded of."""
    wish, arrangement, file = task.memory_wish, task.arrangement, task.wanted_file
    later = (arrangement.text, arrangement.instruction) if arrangement is not None else ()
    return (task.words, *task.offered, wish.text if wish else "", *later, file.words if file else "")


def _inherited(earlier: Iterable[Message], used: frozenset[str], language: str) -> Iterable[Elsewhere]:
    """What the earlier answers are made of whose words were used again."""
    return (where for entry in earlier if used & telling_terms(entry.text, language) for where in entry.elsewhere)


def _used_of(shown: ShownElsewhere, used: frozenset[str], language: str) -> Elsewhere | None:
    """The messages with those of their people whose words were used; all of them where the agent's own were."""
    people = {person for person, text in shown.said if used & telling_terms(text, language)}
    if not people:
        return None
    if 0 in people:
        return shown.where
    return shown.where.model_copy(update={"people": tuple(one for one in shown.where.people if one in people)})
