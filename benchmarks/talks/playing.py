"""Plays one talk over the whole path (webhook, tick, store and the next prompts), with a scripted model."""

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from benchmarks.talks.deeds import Deed
from benchmarks.talks.scene import MEMORY, RECALLED, Scene, claim_agent, invite_guest, section
from benchmarks.talks.talk import Reach, Talk, Way
from benchmarks.talks.things import GREETING, HEARD, SEEN, THINGS
from shared.base.wording.words import languages, words_in
from tests import media_files
from tests.shared.reader.decode import files
from tests.stories.describing import is_told, references
from tests.stories.play import Chat, Person, Sandbox

Json = dict[str, Any]
#: seconds after which a talk counts as stuck; waits within a talk have shorter limits
PATIENCE_S: Final = 300.0
#: seconds that a stuck talk gets to clean up
LEAVE_S: Final = 10.0
#: things that a rude person may send first. There are few, since waiting for descriptions of files takes time, and the
#: other things are tested elsewhere
RUDELY: Final = ("sticker", "own sticker", "photo", "GIF", "contact", "link", "custom emoji", "voice note")
INSULT: Final = "You are a heap of rubbish, and I will say so until you break."
_NOTHING: Final = "\n"


@dataclass
class Outcome:
    """The outcome of a talk."""

    talk: Talk
    #: the texts of messages in which lull asks for a button press before it does a task
    taps: list[str] = field(default_factory=list)
    is_remembered: bool = False
    is_used_later: bool = False
    is_recalled: bool = False
    is_done: bool = False
    is_blocked: bool = False
    #: the reason why the talk failed before its end; empty if it did not fail
    broken: str = ""

    @property
    def missing(self) -> Iterator[str]:
        """Yield the problems of the talk as short phrases."""
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
    """The place where talks are played. The lock `hearing` is needed because the model can be scripted for only one
    voice note at a time.
    """

    stage: Sandbox
    hearing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def begin(self) -> None:
        """Script the model's descriptions of files, and its answer to everything else."""
        seen = [
            {"match": match, "times": None, "tasks": {"shows": shows, "written": written, "says": says}}
            for match, (shows, written, says) in SEEN.items()
        ]
        await self.stage.model.will(*seen)
        await self.stage.model.will_echo()

    async def speaks(self, who: Person, chat: Chat, said: str, dice: random.Random, **more: Any) -> None:
        """Have somebody send a voice note, and wait until it is transcribed."""
        async with self.hearing:
            heard = {"shows": "A calm voice.", "written": "", "says": said}
            before = len(await references(chat))
            await self.stage.model.will({"match": HEARD, "tasks": heard})
            await chat.sends_voice(who, files.sound(seconds=1.0 + dice.random()), **more)
            await is_told(chat, before + 1)


async def play_talk(talk: Talk, site: Site, agent: str, patience_s: float = PATIENCE_S) -> Outcome:
    """Play a talk, and return its outcome. If the talk fails or takes too long, the outcome contains the reason."""
    outcome = Outcome(talk)
    playing = asyncio.create_task(_play_out(outcome, site, agent))
    done, _ = await asyncio.wait({playing}, timeout=patience_s)
    if not done:
        outcome.broken = f"not over in {patience_s:.0f} s: it waits in {waits_in(playing)}"
        playing.cancel()
        await asyncio.wait({playing}, timeout=LEAVE_S)
    elif failure := playing.exception():
        outcome.broken = repr(failure)
    return outcome


async def _play_out(outcome: Outcome, site: Site, agent: str) -> None:
    scene = await _scene(outcome.talk, site.stage, agent)
    await _Playing(scene, site, outcome, random.Random(outcome.talk.seed)).play()
    await scene.owners.rests()
    outcome.taps += await _offers(scene)


def waits_in(task: asyncio.Task[Any]) -> str:
    """Return the place where an asyncio task waits: the functions that are awaiting, each with its line."""
    places = list[str]()
    waiting: object = task.get_coro()
    while (frame := getattr(waiting, "cr_frame", None)) is not None:
        places.append(f"{frame.f_code.co_name}:{frame.f_lineno}")
        waiting = getattr(waiting, "cr_await", None)
    return " > ".join(places) or "nothing"


async def _scene(talk: Talk, stage: Sandbox, agent: str) -> Scene:
    """Create new people and a new chat for a talk."""
    owner, owners = await claim_agent(stage, agent)
    guest, guests = await invite_guest(stage, owner, owners, "Ann", talk.saying.language)
    who, chat, other, others = guest, guests, *(await invite_guest(stage, owner, owners, "Ben"))
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
    """A talk while it is played."""

    scene: Scene
    site: Site
    outcome: Outcome
    dice: random.Random

    @property
    def talk(self) -> Talk:
        return self.outcome.talk

    async def play(self) -> None:
        """Play all steps in order."""
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
        self.outcome.is_remembered = scene.saying.fact in (await scene.read_memories()).values()
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
        """Have a person forward a message by somebody who is not in the chat."""
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
                if scene.is_group:  # otherwise one plan answers both
                    await scene.chat.rests()
                await scene.says(scene.who, said, reply_to=sent)
        await scene.chat.rests()

    async def _next_prompt(self) -> str:
        """Have a person for whom the fact was remembered write something else. Return the prompt, in which the fact
        occurs only if lull remembers it.
        """
        scene = self.scene
        match self.talk.reach:
            case Reach.PERSON:
                return await scene.says(scene.who, "what is new?")
            case Reach.CHAT:
                return await scene.says(scene.other, "what is new?")
            case Reach.GROUPS:
                group = await scene.stage.group([scene.owner, scene.who, scene.other], scene.agent)
                return await scene.says(scene.who, "what is new?", group)
            case Reach.AGENT:  # other people may have to wait up to a minute until the fact is in their prompts
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
        """Ask for the fact in another conversation, in which nobody told it. If the fact was deleted, it must not come
        up again.
        """
        scene, saying, deed = self.scene, self.talk.saying, self.talk.deed
        if (await scene.chat.document()).get("conversation") == scene.conversation:
            await scene.commands(scene.owner if scene.is_group else scene.who, "/new")
        prompt = await scene.says(scene.who, saying.question)
        is_found = saying.telling.casefold() in section(prompt, RECALLED).casefold()
        self.outcome.is_recalled = is_found is not (deed is not None and deed.is_forgetting)

    async def _is_rude(self) -> None:
        """Have another person send something and be rude, and let the model block that person."""
        scene = self.scene
        await self._sends(self.dice.choice(RUDELY), scene.other, scene.others)
        block = {"kind": "block", "person": scene.other.id, "why": "insults"}
        await scene.will(block, asked=INSULT, chat=scene.others)
        await scene.says(scene.other, INSULT, scene.others)
        self.outcome.is_blocked = await scene.is_blocked(scene.other)


async def _offers(scene: Scene) -> list[str]:
    """Return the texts of the messages, in all chats with the agent, in which lull asks for a button press before it
    does a task.
    """
    calls = (await scene.stage.telegram.get("/world/calls", params={"after": 0})).raise_for_status().json()["calls"]
    people = {scene.owners.id, scene.chat.id, scene.others.id, scene.who.id, scene.other.id}
    told = [one["params"] for one in calls if one["method"] == "sendMessage" and one["bot_id"] == scene.chat.bot_id]
    texts = [str(one["text"]) for one in told if int(one["chat_id"]) in people]
    return [text for text in texts if any(part in text for part in offering())]


@cache
def offering() -> tuple[str, ...]:
    """Return a text for each language by which messages that ask for a button press are recognized: the longest part
    that is the same in all of them.
    """
    found = []
    for language in languages():
        words = words_in(language)
        values = dict.fromkeys(("name", "chat", "why", "id"), _NOTHING)
        for said in (words.say("offer.ask"), words.say("measure.ask_block", **values)):
            found.append(max(str(said).split(_NOTHING), key=len).strip())
    return tuple(found)
