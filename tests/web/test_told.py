"""What lull says by itself has a text in the page's catalogue: codes of refusals, and phrases that are stored."""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from shared.deciding import access_policy, rules, talk
from shared.media import failures, sources
from shared.planning.prompt import origins
from shared.privacy.places import stored_places
from shared.recall import decision as recall_decision
from shared.turn import batch, choosing, hearing, intake, judge, revival, spending
from shared.values import origin, recalled
from shared.values.canary import CanaryStep
from tests.local.page.telegram_server import ROOT
from tests.web.console_page import WEB, ConsolePage
from tests.web.owner import Owner

TOLD: dict[str, Any] = json.loads((WEB / "console" / "words" / "en" / "told.json").read_text())
SERVERS = (*sorted((ROOT / "shared" / "console").rglob("*.py")), ROOT / "shared" / "memory" / "owner_changes.py")
#: modules whose decisions have a reason, as a text in the call that makes the decision
DECIDING = (rules, batch, choosing, hearing, intake, judge, revival, spending, recall_decision)


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
    plain = re.compile(r'"code": "(\w+)"|^[A-Z_]+: Final = "(memory_\w+)"|: "((?:moment|model)_\w+)"', re.MULTILINE)
    found = (one for file in SERVERS for one in plain.findall(file.read_text()))
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
        ("Ann wants it so", "Ann wants it so"),
    ):
        assert await owner.page.evaluate(told, said) == shown
