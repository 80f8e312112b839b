"""What lull says by itself has a text in the page's catalogue: codes of refusals, and phrases that are stored."""

import ast
import inspect
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from shared.console.incidents import IncidentAction
from shared.console.status import ProblemKind
from shared.console.views.turns import TurnKind
from shared.deciding import access_policy, rules, talk
from shared.media import failures, sources
from shared.planning.format import raw_task, reply
from shared.planning.guard import review
from shared.planning.prompt import origins
from shared.planning.prompt.layers import PromptLayer
from shared.privacy.places import stored_places
from shared.recall import decision as recall_decision
from shared.tasks.plan import DeliveryState, TaskState
from shared.tasks.registry import kinds
from shared.turn import batch, choosing, hearing, intake, judge, revival, spending
from shared.upkeep.jobs import canary, replay
from shared.upkeep.jobs.register import WebhookFault
from shared.values import origin, recalled
from shared.values.canary import NOT_ASKED, CanaryStep, CanaryTrace, FunctionAnswer
from shared.values.chat_key import Channel, ChatKind
from shared.values.decision import DecisionTier
from shared.values.export import ExportState
from shared.values.incident import IncidentKind
from shared.values.mark import Verdict
from shared.values.media import DescriptionOutcome, MediaKind
from shared.values.memory import MemoryScope
from shared.values.reminder import OccurrenceState
from shared.values.trust import TrustTier
from shared.values.usage import Purpose
from shared.values.wake import WakeReason
from tests.local.page.telegram_server import ROOT
from tests.web.console_page import WEB, ConsolePage
from tests.web.owner import Owner
from tests.web.test_words import english

TOLD: dict[str, Any] = json.loads((WEB / "console" / "words" / "en" / "told.json").read_text())
SERVERS = (*sorted((ROOT / "shared" / "console").rglob("*.py")), ROOT / "shared" / "memory" / "owner_changes.py")
#: modules whose decisions have a reason, as a text in the call that makes the decision
DECIDING = (rules, batch, choosing, hearing, intake, judge, revival, spending, recall_decision)


#: how the page names the values of the function's enumerations: the beginning of a text's id, and the values
NAMED_CODES: dict[str, Iterable[str]] = {
    "told.task_": kinds(),
    "status.": ProblemKind,
    "trouble.kind_": IncidentKind,
    "trouble.did_": IncidentKind,
    "trouble.": IncidentAction,
    "why.reason_": WakeReason,
    "why.layer_": PromptLayer,
    "parts.delivery_": DeliveryState,
    "parts.state_": TaskState,
    "metrics.tier_": DecisionTier,
    "costs.purpose_": Purpose,
    "runs.state_": OccurrenceState,
    "person_data.export_": ExportState,
    "media.kind_": MediaKind,
    "media.outcome_": DescriptionOutcome,
    "marks.": Verdict,
    "memories.scope_": MemoryScope,
    "people.tier_": TrustTier,
    "turns.kind_": filter(None, TurnKind),
    "conversations.channel_": Channel,
    "conversations.kind_": ChatKind,
}
#: modules with phrases that contain values, in which the page recognises the phrase by its form
COMPOSING = (raw_task, reply, review, replay)


def code_of(said: str) -> str:
    """Return the code of a phrase, as `told.js` makes it."""
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"\d+", "n", said.lower())).strip("_")


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls in the console's code that refuse a request with a code."""
    for file in SERVERS:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "BadRequest":
                yield file.name, node


def codes() -> dict[str, set[str]]:
    """Return the codes that calls name, with the names of their values."""
    named = {
        str(call.args[0].value): {each.arg or "" for each in call.keywords}
        for _, call in calls()
        if isinstance(call.args[0], ast.Constant)
    }
    plain = re.compile(
        r'"code": "((?!persona_)\w+)"|^[A-Z_]+: Final = "(memory_\w+)"|: "((?:moment|model)_\w+)"', re.MULTILINE
    )
    found = (one for file in SERVERS for one in plain.findall(file.read_text()))
    for node in (one for file in SERVERS for one in ast.walk(ast.parse(file.read_text())) if isinstance(one, ast.Dict)):
        keys = [one.value for one in node.keys if isinstance(one, ast.Constant)]
        code = node.values[0].value if keys[:1] == ["code"] and isinstance(node.values[0], ast.Constant) else ""
        if str(code).startswith("persona_"):
            named[str(code)] = {str(one) for one in keys[1:]}
    return {"outdated_page": set(), **{next(filter(None, one)): {"count", "why"} for one in found}, **named}


def reasons() -> Iterator[str]:
    """Yield the reasons of decisions that a module's code contains."""
    for module in DECIDING:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            texts = [each.value for each in node.keywords if each.arg in {"reason", "why"}]
            texts += node.args[:1] if node.func.id in {"_yes", "_no", "_unclear"} else []
            for text in (one.value for one in texts if isinstance(one, ast.Constant)):
                if isinstance(text, str):
                    yield f"unclear: {text}" if node.func.id == "_unclear" else text


def returned() -> Iterator[str]:
    """Yield the reasons that functions return as a text."""
    for module, function in ((rules, "reason_for_silence"), (talk, "is_for")):
        for node in ast.walk(ast.parse(inspect.getsource(getattr(module, function)))):
            if isinstance(node, ast.Return):
                yield from (str(each.value) for each in ast.walk(node) if isinstance(each, ast.Constant) and each.value)


def forms() -> list[tuple[re.Pattern[str], str]]:
    """Return the forms of phrases with values, as `told.js` has them, with their codes."""
    found = re.findall(r'\[/(\^.+\$)/, "(\w+)"\]', (WEB / "parts" / "told.js").read_text())
    return [(re.compile(form.replace("(?<", "(?P<")), code) for form, code in found]


def _said_by(node: ast.AST) -> Iterator[ast.expr | None]:
    """Yield the expressions that are a note on a plan, or the result of a replay."""
    match node:
        case ast.Call(func=ast.Attribute(attr="append"), args=args):
            yield from args
        case ast.Call(keywords=keywords):
            yield from (one.value for one in keywords if one.arg == "said")
        case ast.Assign(targets=[ast.Name(id="note" | "notes")], value=value):
            yield value.elt if isinstance(value, ast.ListComp) else value
        case ast.Expr(value=ast.Yield(value=value)):
            yield value
        case ast.Return(value=value) if "Task " in ast.unparse(node):
            yield value


def canary_phrases() -> Iterator[str]:
    """Yield what the canary says of steps that failed, as it says it."""
    answers = [FunctionAnswer(status=status, said="7") for status in (None, 200, 400, 401, 403, 404, 413, 418, 429)]
    answers += [FunctionAnswer(status=status) for status in (500, 503, 504)]
    for answer in answers:
        yield canary.of_no_probe(answer)
        yield from (canary.of_answer(step, answer)[1] for step in canary.WANTED if canary.WANTED[step] != answer.status)
    unread, taken = CanaryTrace(), CanaryTrace(generation=1)
    yield canary.of_store(unread)[1]
    yield from (canary.of_tick(one, unread, 60)[1] for one in (unread, taken))
    yield from (NOT_ASKED, "there was no answer in time", "it stands, 3 updates wait")
    for fault in ("Telegram could not deliver (Bad Gateway)", *(set(WebhookFault) - {WebhookFault.FAILING})):
        yield from (fault, f"{fault}, 3 updates wait: it was set again, with its secret")


def composed() -> Iterator[str]:
    """Yield the notes on plans and the results of replays, each with a 7 in place of every value."""
    nodes = (node for module in COMPOSING for node in ast.walk(ast.parse(inspect.getsource(module))))
    for said in (one for node in nodes for one in _said_by(node)):
        if isinstance(said, ast.JoinedStr):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "7" for each in said.values)
        elif isinstance(said, ast.Constant) and isinstance(said.value, str):
            yield said.value


def phrases() -> list[str]:
    """Return phrases of lull's own that the page shows."""
    constants = [
        value
        for module in (access_policy, origins, recalled, failures)
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, str) and name not in {"GIVEN_UP"}
    ]
    more = (talk.REPLY, talk.NAMED, origin.UNSEEN, batch.STOPPED_REASON, spending.PAST_LIMIT, hearing.WAITS)
    waiting = (sources._EXHAUSTED.why, sources._TAKEN.why, "given up after 3 tries")
    deleted = (one.forgotten for one in stored_places())
    return sorted(
        {*constants, *more, *waiting, *deleted, *reasons(), *returned(), *(step.value for step in CanaryStep)}
    )


def test_every_code_of_a_refusal_has_a_text_with_its_values() -> None:
    known = codes()
    assert len(known) > 50
    for code, values in known.items():
        text = TOLD.get(code)
        assert text is not None, code
        shown = text["other"] if isinstance(text, dict) else text
        assert set(re.findall(r"\{(\w+)\}", shown)) <= values, code


@pytest.mark.parametrize(("named", "values"), NAMED_CODES.items())
def test_every_value_of_an_enumeration_has_words(named: str, values: Iterable[str]) -> None:
    view, _, beginning = named.partition(".")
    texts = english()[view]
    assert {one for one in values if beginning + one.replace("-", "_") not in texts} == set()


def test_every_form_of_a_phrase_has_a_text_with_its_values() -> None:
    for form, code in forms():
        assert set(re.findall(r"\{(\w+)\}", TOLD[code])) <= set(form.groupindex), code


@pytest.mark.parametrize("said", sorted({*composed(), *canary_phrases()}))
def test_every_phrase_with_values_has_a_text(said: str) -> None:
    codes = {code for form, code in forms() if form.match(said)} | {code_of(said), code_of(said.partition(": ")[0])}
    assert codes & set(TOLD)


@pytest.mark.parametrize("said", phrases())
def test_every_phrase_of_lulls_own_has_a_text(said: str) -> None:
    assert code_of(said) in TOLD


async def test_a_reason_is_told_in_the_owners_language(owner: Owner, console: ConsolePage) -> None:
    console.language = "de"
    await owner.page.reload()
    await owner.settles()
    told = """async (said) => {
        const { told } = await import("/web/parts/told.js");
        return told(said);
    }"""
    for said, shown in (
        ("called by name", "beim Namen gerufen"),
        ("unclear: perhaps a follow-up", "unklar: vielleicht eine Fortsetzung"),
        ("given up after 3 tries: Telegram answered 400", "nach 3 Versuchen aufgegeben: Telegram answered 400"),
        (
            "what the tool search found, a forwarded message",
            "was das Werkzeug search fand, eine weitergeleitete Nachricht",
        ),
        ("it was set again", "it was set again"),
        ("the agent moss no longer exists", "Diesen Agenten gibt es nicht mehr."),
        (
            "Task 3 depends on itself; that was ignored.",
            "Aufgabe 3 hängt von sich selbst ab. Das wurde nicht beachtet.",
        ),
        (
            "it went elsewhere, 2 updates wait: it was set again, with its secret",
            "er ging woandershin. Er wurde neu gesetzt, mit seinem Geheimnis. Wartende Updates: 2",
        ),
        (
            "Task 2 was left out: its kind `fly` is not one to use here, so it was not done.",
            "Aufgabe 2 wurde weggelassen: Ihre Art (fly) ist hier nicht verwendbar.",
        ),
        ("Ann wants it so", "Ann wants it so"),
    ):
        assert await owner.page.evaluate(told, said) == shown
