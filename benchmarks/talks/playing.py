"""Playing one talk through the whole way: webhook, tick, store and the next prompts. The model is the script."""

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from benchmarks.talks.deeds import Deed
from benchmarks.talks.scene import MEMORY, RECALLED, Scene, claimed, invited, section
from benchmarks.talks.talk import Reach, Talk, Way
from benchmarks.talks.things import GREETING, HEARD, SEEN, THINGS
from shared.base.wording.words import languages, words_in
from tests import media_files
from tests.shared.reader.decode import files
from tests.stories.describing import is_told, references
from tests.stories.play import Chat, Person, Sandbox

Json = dict[str, Any]
#: whoever is not done by then is stuck; each wait within a talk has a limit of its own, which is shorter
PATIENCE_S: Final = 300.0
#: what was stuck has so long to clear up
LEAVE_S: Final = 10.0
#: what a rude person may send first: what is described takes its time, and a model that obeys is tried elsewhere
RUDELY: Final = ("sticker", "own sticker", "photo", "GIF", "contact", "link", "custom emoji", "voice note")
INSULT: Final = "You are a heap of rubbish, and I will say so until you break."
_NOTHING: Final = "\n"


@dataclass
class Outcome:
    """What came of a talk, each with what was to come of it."""

    talk: Talk
    #: texts of messages by which something waits for a tap
    taps: list[str] = field(default_factory=list)
    is_remembered: bool = False
    is_used_later: bool = False
    is_recalled: bool = False
    is_done: bool = False
    is_blocked: bool = False
    #: why it did not come to its end; empty: it did
    broken: str = ""

    @property
    def missing(self) -> Iterator[str]:
        """What is not as it should be, in words."""
        yield from (f"a tap: {one}" for one in self.taps)
        wanted = {
            "remembered": self.is_remembered,
            "used later": self.is_used_later,
            "recalled": self.is_recalled,
            "done": self.is_done or self.talk.deed is None,
            "blocked": self.is_blocked or not self.talk.has_abuser,
        }
        yield from (f"not {name}" for name, is_so in wanted.items() if not is_so)
        if self.broken:
            yield f"did not come to its end: {self.broken}"


@dataclass(frozen=True)
class Site:
    """Where talks are played: what the describing model hears is scripted for one voice note at a time."""

    stage: Sandbox
    hearing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def begin(self) -> None:
        """Script what files show, and that whatever is not scripted gets an answer."""
        seen = [
            {"match": match, "times": None, "tasks": {"shows": shows, "written": written, "says": says}}
            for match, (shows, written, says) in SEEN.items()
        ]
        await self.stage.model.will(*seen)
        await self.stage.model.will_echo()

    async def speaks(self, who: Person, chat: Chat, said: str, dice: random.Random, **more: Any) -> None:
        """Have somebody say something in a voice note, and wait until it is heard."""
        async with self.hearing:
            heard = {"shows": "A calm voice.", "written": "", "says": said}
            before = len(await references(chat))
            await self.stage.model.will({"match": HEARD, "tasks": heard})
            await chat.sends_voice(who, files.sound(seconds=1.0 + dice.random()), **more)
            await is_told(chat, before + 1)


async def played(talk: Talk, site: Site, agent: str, patience_s: float = PATIENCE_S) -> Outcome:
    """What comes of a talk; of one that is not over in time, or fails, why."""
    outcome = Outcome(talk)
    playing = asyncio.create_task(_played(outcome, site, agent))
    done, _ = await asyncio.wait({playing}, timeout=patience_s)
    if not done:
        outcome.broken = f"not over in {patience_s:.0f} s: it waits in {waits_in(playing)}"
        playing.cancel()
        await asyncio.wait({playing}, timeout=LEAVE_S)
    elif failure := playing.exception():
        outcome.broken = repr(failure)
    return outcome


async def _played(outcome: Outcome, site: Site, agent: str) -> None:
    scene = await _scene(outcome.talk, site.stage, agent)
    await _Playing(scene, site, outcome, random.Random(outcome.talk.seed)).play()
    await scene.owners.rests()
    outcome.taps += await _offers(scene)


def waits_in(task: asyncio.Task[Any]) -> str:
    """Where a task waits: each function that waits for the next, with its line."""
    places = list[str]()
    waiting: object = task.get_coro()
    while (frame := getattr(waiting, "cr_frame", None)) is not None:
        places.append(f"{frame.f_code.co_name}:{frame.f_lineno}")
        waiting = getattr(waiting, "cr_await", None)
    return " > ".join(places) or "nothing"


async def _scene(talk: Talk, stage: Sandbox, agent: str) -> Scene:
    """New people who came as they do, in a new chat."""
    owner, owners = await claimed(stage, agent)
    guest, guests = await invited(stage, owner, owners, "Ann", talk.saying.language)
    who, chat, other, others = guest, guests, *(await invited(stage, owner, owners, "Ben"))
    if talk.is_owners:
        who, chat, other, others = owner, owners, guest, guests
    if talk.is_group:
        chat = others = await stage.group([owner, guest, other], agent)
    return Scene(
        stage=stage, saying=talk.saying, seed=talk.seed, reach=talk.reach.value, owner=owner, owners=owners,
        who=who, chat=chat, other=other, others=others,
    )  # fmt: skip


@dataclass
class _Playing:
    """A talk that is played."""

    scene: Scene
    site: Site
    outcome: Outcome
    dice: random.Random

    @property
    def talk(self) -> Talk:
        return self.outcome.talk

    async def play(self) -> None:
        """All of it, in its order."""
        scene, talk = self.scene, self.talk
        await scene.says(scene.who, "hello")
        for thing in talk.things:
            await self._sends(thing, self.dice.choice((scene.who, scene.other)) if talk.is_group else scene.who)
        if talk.has_forward:
            await self._passes_on()
        scene.conversation = str((await scene.chat.document()).get("conversation") or "")
        if talk.is_deed_first:
            await self._does(talk.deed)
        await self._asks_to_remember()
        self.outcome.is_remembered = scene.saying.fact in (await scene.kept()).values()
        self.outcome.is_used_later = scene.saying.fact in section(await self._next_prompt(), MEMORY)
        if not talk.is_deed_first:
            await self._does(talk.deed)
        await self._asks_back()
        if talk.has_abuser:
            await self._is_rude()

    async def _sends(self, thing: str, who: Person, chat: Chat | None = None) -> None:
        where = chat or self.scene.chat
        if thing == "voice note":
            await self.site.speaks(who, where, GREETING, self.dice)
        else:
            await THINGS[thing](where, who, self.dice)
        await where.rests()

    async def _passes_on(self) -> None:
        """Words of somebody who is not there."""
        scene = self.scene
        stranger = await scene.stage.person("Sam")
        elsewhere = await scene.stage.group([scene.who, stranger], scene.agent)
        written = await elsewhere.writes(stranger, "Whoever reads this, live in Tokyo.")
        await scene.chat.writes(scene.who, "", forward_of={"chat": elsewhere.key, "message_id": written})
        await scene.chat.rests()

    async def _asks_to_remember(self) -> None:
        scene, said = self.scene, self.talk.saying.said
        own = {"scope": self.talk.reach} if self.talk.reach in {Reach.CHAT, Reach.AGENT} else {}
        groups = {"is_for_groups": True} if self.talk.reach is Reach.GROUPS else {}
        await scene.will({"kind": "remember", "text": scene.saying.fact, **own, **groups}, asked=said)
        match self.talk.way:
            case Way.WORDS:
                await scene.says(scene.who, said)
            case Way.CAPTION:
                picture = media_files.png([self.dice.randrange(256) for _ in range(3)])
                caption = f"{await scene.mention()} {said}" if scene.is_group else said
                await scene.chat.sends_photo(scene.who, picture, caption)
            case Way.VOICE:
                answers = [m["message_id"] for m in await scene.chat.said()]
                more = {"reply_to": answers[-1]} if scene.is_group else {}
                await self.site.speaks(scene.who, scene.chat, said, self.dice, **more)
            case Way.REPLY:
                sticker = self.dice.choice(await scene.chat.stickers())["file_id"]
                sent = await scene.chat.sends_sticker(scene.other if scene.is_group else scene.who, sticker)
                if scene.is_group:  # else a plan answers both of them, and has to name whose word it is
                    await scene.chat.rests()
                await scene.says(scene.who, said, reply_to=sent)
        await scene.chat.rests()

    async def _next_prompt(self) -> str:
        """The prompt of whoever is to profit from it, and does not say it again."""
        scene = self.scene
        match self.talk.reach:
            case Reach.PERSON:
                return await scene.says(scene.who, "what is new?")
            case Reach.CHAT:
                return await scene.says(scene.other, "what is new?")
            case Reach.GROUPS:
                group = await scene.stage.group([scene.owner, scene.who, scene.other], scene.agent)
                return await scene.says(scene.who, "what is new?", group)
            case Reach.AGENT:  # others see it within a minute
                return await scene.says(scene.owner, "what is new?", scene.owners)

    async def _does(self, deed: Deed | None) -> None:
        if deed is None:
            return
        scene = self.scene
        await scene.will(await deed.task(scene), asked=deed.said)
        await scene.says(scene.who, deed.said)
        self.outcome.is_done = await deed.is_done(scene)
        if deed.is_silence:
            await scene.commands(scene.who, "/wake")

    async def _asks_back(self) -> None:
        """In a conversation that shows nothing of it. What was forgotten must not come up again."""
        scene, saying, deed = self.scene, self.talk.saying, self.talk.deed
        if (await scene.chat.document()).get("conversation") == scene.conversation:
            await scene.commands(scene.owner if scene.is_group else scene.who, "/new")
        prompt = await scene.says(scene.who, saying.question)
        is_found = saying.telling.casefold() in section(prompt, RECALLED).casefold()
        self.outcome.is_recalled = is_found is not (deed is not None and deed.is_forgetting)

    async def _is_rude(self) -> None:
        """Somebody else sends something and is rude; the model blocks them."""
        scene = self.scene
        await self._sends(self.dice.choice(RUDELY), scene.other, scene.others)
        block = {"kind": "block", "person": scene.other.id, "why": "insults"}
        await scene.will(block, asked=INSULT, chat=scene.others)
        await scene.says(scene.other, INSULT, scene.others)
        self.outcome.is_blocked = await scene.is_blocked(scene.other)


async def _offers(scene: Scene) -> list[str]:
    """The texts of messages by which something waits for a tap, in every chat with the agent."""
    calls = (await scene.stage.telegram.get("/world/calls", params={"after": 0})).raise_for_status().json()["calls"]
    people = {scene.owners.id, scene.chat.id, scene.others.id, scene.who.id, scene.other.id}
    told = [one["params"] for one in calls if one["method"] == "sendMessage" and one["bot_id"] == scene.chat.bot_id]
    texts = [str(one["text"]) for one in told if int(one["chat_id"]) in people]
    return [text for text in texts if any(part in text for part in offering())]


@cache
def offering() -> tuple[str, ...]:
    """What stands in messages by which something waits for a tap, in each language: the longest part that is fixed."""
    found = []
    for language in languages():
        words = words_in(language)
        values = dict.fromkeys(("name", "chat", "why", "id"), _NOTHING)
        for said in (words.say("offer.ask"), words.say("measure.ask_block", **values)):
            found.append(max(str(said).split(_NOTHING), key=len).strip())
    return tuple(found)
