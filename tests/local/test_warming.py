from infra.bundle import ROOT
from local.parts import SMALL_MODEL
from local.warming import instructions, warm
from shared.planning.personas.load import load_agents, load_model_notes
from shared.values.agent import Codec
from shared.values.capabilities import OutputKind
from shared.values.model_name import split_model_name
from shared.values.prompt_format import PromptFormat
from tests.stories.play import Json, Sandbox

AGENTS = ROOT / "agents"
#: the features that functions use in the local cloud of the stories
STORY_MODEL = "gemini-3.5-flash-lite"


def instruction_of(request: Json) -> str:
    return "".join(part["text"] for part in request["systemInstruction"]["parts"])


async def test_it_is_told_what_requests_in_private_and_in_groups_begin_with(sandbox: Sandbox) -> None:
    told = list(instructions(load_agents([AGENTS]), [AGENTS], STORY_MODEL, PromptFormat.META, [OutputKind.SPEECH]))
    assert told[0][0] == "lull"
    ann = await sandbox.person("Ann")
    private, group = await sandbox.private(ann), await sandbox.group([ann])
    moss = await sandbox.group([ann], agent="moss")
    for number, (chat, name) in enumerate(((private, "lull"), (group, "lull"), (moss, "Moss"))):
        await sandbox.model.will_say("Good day.")
        await chat.writes(ann, f"@{(await sandbox.bot(chat.agent))['username']} what is warm in {number}?")
        await chat.answers()
        [asked] = await sandbox.model.asked(f"what is warm in {number}?")
        assert (name, instruction_of(asked["request"])) in told


def test_the_small_model_is_told_of_nothing_that_it_cannot_have_made() -> None:
    told = list(instructions(load_agents([AGENTS]), [AGENTS], STORY_MODEL, PromptFormat.COMPACT))
    assert not [name for name, text in told if "`draw`" in text or "`voice`" in text]


def test_the_small_model_is_told_its_own_notes() -> None:
    told = list(instructions(load_agents([AGENTS]), [AGENTS], SMALL_MODEL, PromptFormat.COMPACT))
    notes = load_model_notes([AGENTS], split_model_name(SMALL_MODEL).name)
    assert notes.codec is Codec.TEXT
    assert all(text.startswith(notes.text) for _, text in told)


def test_nothing_is_told_twice() -> None:
    told = list(instructions(load_agents([AGENTS]), [AGENTS], STORY_MODEL, PromptFormat.COMPACT))
    assert len({text for _, text in told}) == len(told)


def test_a_model_that_is_not_there_is_no_harm() -> None:
    warm("http://127.0.0.1:9", load_agents([AGENTS]), [AGENTS])
