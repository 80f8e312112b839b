"""Support for models that answer with bare text: their kinds of task, and how lull gets reminders from them.

Such a model cannot follow a schema of many kinds of task. If a message is worded like a request for a reminder, the
model is asked once more, for a plan with this one kind of task. Code does the rest. If the person's own words state a
time clearly, code reads the time, since such models often get dates wrong.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from shared.base.wording.words import SILENCE, Phrase, words_in
from shared.deciding.addressing import folded_words
from shared.llm.ports.world import LanguageModel
from shared.planning.format.raw_task import ReplyProblem
from shared.planning.format.reply import ParsedReply
from shared.planning.options import PlanningOptions, ReviewPlan
from shared.planning.planner import PlanResult, make_plan
from shared.planning.prompt.closing import asks_about_unseen_files
from shared.planning.prompt.messages import shorten
from shared.planning.prompt.scene import Scene
from shared.reminders.tasks.schedule import Schedule
from shared.tasks.plan import PlannedTask
from shared.tasks.revoke import Revoke
from shared.tasks.send import Send, own_words
from shared.turn.batch import InboxBatch
from shared.turn.language import language_evidence, likely_language, words_for
from shared.values.agent import Codec, parse_zone
from shared.values.evolve import evolve
from shared.values.message import Message
from shared.values.prompt import Prompt, PromptTurn, TurnRole

#: the kinds of task of an agent whose model answers with bare text
TALK_KINDS: Final = (Send.kind_name(), Schedule.kind_name())
#: the English names of languages, by ISO 639-1
_NAMES: Final = MappingProxyType({
    "ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "fa": "Persian", "fr": "French", "hi": "Hindi",
    "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish",
    "pt": "Portuguese", "ru": "Russian", "tr": "Turkish", "uk": "Ukrainian", "uz": "Uzbek", "zh": "Chinese",
})  # fmt: skip
#: matches a text that is worded like a request for a reminder, in the languages of lull's catalogues
_REMIND: Final = re.compile(
    r"\bremind\b|\breminder\b|\berinner(?:e|st|t)?\b|\brecu[eé]rd(?:a|ame|anos|eme)|\brecord[aá](?:me|rme)|\bav[ií]same\b"
    r"|\brappelle|\bricord(?:a|ami|aci|armi)\b|\blembr(?:a|e|ar)\b|\bme lembre|\bprzypomn|\bherinner|\bhatırlat"
    r"|нагада|напомн|ذك[ّ]?ر(?:ني|نا)|یادآوری|یادم (?:بنداز|بیار|بیاور)|याद (?:दिला|करा)|\bingatkan\b|\beslat"
    r"|リマインド|思い出させ|提醒|알려 ?(?:줘|주세요)|리마인드|상기시",
    re.IGNORECASE,
)
_ORDER: Final = (
    "Turn the last request into a plan with one `schedule`. `text` says what to do, with its verb, in the language of "
    "the request, without the time. `after` is how long from now, such as 2 hours. `at` is a day and time, such as "
    "2026-11-27T17:00. `every` is a rule, such as FREQ=DAILY, and `at` is its first time."
)
_EXAMPLES: Final = (
    ("remind me in 2 hours to make tea", '{"tasks":[{"kind":"schedule","text":"make tea","after":"2 hours"}]}'),
    (
        "erinnere mich morgen um 9 daran, den Arzt anzurufen",
        '{"tasks":[{"kind":"schedule","text":"den Arzt anrufen","at":"2026-11-21T09:00"}]}',
    ),
    (
        "нагадуй щопонеділка о 8 здати звіт",
        '{"tasks":[{"kind":"schedule","text":"здати звіт","every":"FREQ=WEEKLY;BYDAY=MO","at":"2026-11-23T08:00"}]}',
    ),
)
_EXAMPLES_NOW: Final = "It is Friday 2026-11-20 10:00. The next days: Sat 11-21, Sun 11-22, Mon 11-23."
_NEXT_DAYS: Final = 7
#: the maximum characters that are quoted of the message to which a request replies
_LONGEST_QUOTE: Final = 300


def language_name(message: Message, known: str = "") -> str:
    """Return the English name of a message's language. If the message does not show its language clearly, `known` (ISO
    639-1) is used, or if that is empty, the most likely language. Return "" for an unknown language.
    """
    text = folded_words(message)
    return _NAMES.get(language_evidence(text).language or known or likely_language(text), "")


def asks_for_a_reminder(targets: Sequence[Message]) -> bool:
    """Return whether the last of the messages to be answered is worded like a request for a reminder."""
    return bool(targets) and _REMIND.search(folded_words(targets[-1])) is not None


async def plan_of_reminder(
    model: LanguageModel, scene: Scene, targets: Sequence[Message], prompt: Prompt, options: PlanningOptions
) -> PlanResult | None:
    """If the last message asks for a reminder, return the plan for it; None if it does not.

    The model otherwise answers with bare text. For this request it must write the plan as JSON. The plan has no task if
    the model found no reminder in the message. Raises ModelUnavailable.
    """
    kind = Schedule.kind_name()
    if scene.codec is not Codec.TEXT or kind not in scene.agent.kinds or not asks_for_a_reminder(targets):
        return None
    review = _at_said_time(options.review, targets[-1], scene)
    only = replace(options, codec=Codec.JSON, on_text=None, headroom=None, review=review)
    return await make_plan(model, reminder_prompt(scene, targets[-1], prompt), (kind,), only)


@dataclass(frozen=True)
class OwnPart:
    """The part of an answer besides the model's bare text: a reminder, or lull's sentence that it cannot see a file."""

    #: None if there is no such part
    plan: PlanResult | None = None
    #: whether it answers everything
    is_whole: bool = False

    @property
    def whole(self) -> PlanResult | None:
        """The plan, if it answers everything; else None."""
        return self.plan if self.is_whole else None

    def with_words(self, talk: PlanResult) -> PlanResult:
        """Return a plan with the tasks of this part, followed by the messages of the model's text."""
        if self.plan is None:
            return talk
        words = (evolve(task, id=f"talk-{task.id}", depends_on=()) for task in talk.tasks)
        return replace(
            talk,
            tasks=(*self.plan.tasks, *words),
            notes=(*self.plan.notes, *talk.notes),
            calls=(*self.plan.calls, *talk.calls),
            failure="" if self.plan.tasks else talk.failure,
        )


async def own_part(
    model: LanguageModel, scene: Scene, batch: InboxBatch, prompt: Prompt, options: PlanningOptions
) -> OwnPart:
    """Return the part of the answer besides the model's bare text, if there is one. Raises ModelUnavailable."""
    reminder = await plan_of_reminder(model, scene, batch.targets, prompt, options)
    if reminder is not None and reminder.tasks:
        return OwnPart(reminder, is_whole=len(batch.targets) == 1)
    if excuse := unseen_files_phrase(scene, batch):
        with_file = next((target for target in reversed(batch.targets) if target.media), None)
        plan = replace(reminder or PlanResult(), tasks=apology(batch, excuse, with_file))
        others = [one for one in batch.targets if not one.media and one.reply is None]
        return OwnPart(plan, is_whole=len(batch.targets) == 1 or not others)
    return OwnPart(reminder)


def unseen_files_phrase(scene: Scene, batch: InboxBatch) -> Phrase:
    """If a question is about files and the model answers with bare text, return lull's answer that it cannot see them.

    Else return SILENCE. The prompt tells the model that it cannot see files, but small models still guess what is in a
    picture.
    """
    if scene.codec is not Codec.TEXT or not asks_about_unseen_files(scene):
        return SILENCE
    asked_in = likely_language(folded_words(batch.targets[-1]))
    words = words_in(asked_in) if asked_in else words_for(batch.targets, batch.languages, scene.chat)
    return words.say("talk.unseen")


def kinds_beside(pending: Sequence[PlannedTask], kinds: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of task for a new plan: `kinds`, and `revoke` if a promised message is among `pending`."""
    stays = any(planned.kept_from is not None for planned in pending)
    return tuple(dict.fromkeys((*kinds, Revoke.kind_name()) if stays else kinds))


def apology(batch: InboxBatch, phrase: Phrase, about: Message | None = None) -> tuple[Send, ...]:
    """Return a task that says one sentence to the person who waits.

    In a group it replies to the message `about`, by default the last one to be answered, so that everybody sees whom it
    addresses.
    """
    about = about or next(reversed(batch.targets), None)
    return (own_words("1", phrase, about.quotable if about and not batch.kind.is_of_one else None),)


def reminder_prompt(scene: Scene, target: Message, prompt: Prompt) -> Prompt:
    """Return the prompt that asks for the reminder in one message. It has the same record of sources as `prompt`."""
    turns = [
        turn
        for asked, plan in _EXAMPLES
        for turn in (
            PromptTurn(role=TurnRole.USER, parts=(f"{asked}\n({_EXAMPLES_NOW})",)),
            PromptTurn(role=TurnRole.MODEL, parts=(plan,)),
        )
    ]
    quote = f"{shorten(target.reply.excerpt, _LONGEST_QUOTE)}\n" if target.reply is not None else ""
    last = PromptTurn(role=TurnRole.USER, parts=(f"{quote}{target.text}\n({_now(scene)})",))
    return evolve(prompt, system=_ORDER, turns=(*turns, last), tools=())


def _at_said_time(review: ReviewPlan | None, target: Message, scene: Scene) -> ReviewPlan | None:
    """Return a review that first sets the reminder to the time that the message clearly states, if it states one."""
    from shared.reminders.times.said_time import said_time  # loaded only when needed

    when = said_time(target.text, scene.now, scene.said_zone)
    if when is None:
        return review

    def review_at_time(plan: ParsedReply, may_send_back: bool) -> ParsedReply | ReplyProblem:
        if len(plan.tasks) == 1:
            task = plan.tasks[0].at_said_time(at=when.at, after=when.after, every=when.every)
            plan = replace(plan, tasks=(task,))
        return review(plan, may_send_back) if review is not None else plan

    return review_at_time


def _now(scene: Scene) -> str:
    now = scene.now.astimezone(parse_zone(scene.said_zone))
    days = ", ".join(f"{now + timedelta(days=ahead):%a %m-%d}" for ahead in range(1, _NEXT_DAYS + 1))
    return f"It is {now:%A %Y-%m-%d %H:%M}. The next days: {days}."
