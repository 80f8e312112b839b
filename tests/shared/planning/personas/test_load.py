"""Agents are loaded from their folders; every error is reported with file and line."""

from pathlib import Path

import pytest

from shared.base.errors import InvalidPersona
from shared.planning.personas.load import load_agents, load_model_notes
from shared.tasks.registry import kinds, unlockable
from shared.tools.toolbox import tool_names
from shared.values.agent import Codec

HEAD = "---\nname: lull\nusername: lull_bot\n---\n"
CHAT = "---\nunlocks: [send]\n---\n"
ROOT = Path(__file__).resolve().parents[4]


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_an_agent_has_its_instructions_its_roles_and_what_they_unlock(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        {
            "lull/agent.md": "---\nname: lull\nusername: lull_bot\nprompts: [chat, waiting]\n---\nYou are {botname}.",
            "prompts/chat.md": "---\nunlocks: [think, send]\n---\nAnswer.",
            "prompts/waiting.md": "---\nunlocks: [wait]\n---\nWait.",
        },
    )
    agent = load_agents([folder])["lull"]
    assert (agent.id, agent.instructions, agent.kinds) == ("lull", "You are {botname}.", ("think", "send", "wait"))
    assert [role.text for role in agent.roles] == ["Answer.", "Wait."]


def test_the_first_folder_wins_and_an_agents_own_prompt_before_all(tmp_path: Path) -> None:
    chat = {"prompts/chat.md": f"{CHAT}everyone's"}
    moss = HEAD.replace("lull", "moss")
    mine = write(tmp_path / "mine", {"lull/agent.md": f"{HEAD}mine", **chat})
    ours = write(tmp_path / "ours", {"lull/agent.md": f"{HEAD}ours", "moss/agent.md": f"{moss}moss", **chat})
    write(ours, {"moss/prompts/chat.md": f"{CHAT}moss's own"})
    agents = load_agents([mine, tmp_path / "missing", ours])
    assert {name: (a.instructions, a.roles[0].text) for name, a in agents.items()} == {
        "lull": ("mine", "everyone's"),
        "moss": ("moss", "moss's own"),
    }


def test_a_folder_may_change_one_prompt_of_an_agent_that_stands_in_another(tmp_path: Path) -> None:
    ours = write(tmp_path / "ours", {"moss/agent.md": f"{HEAD}moss", "moss/prompts/chat.md": f"{CHAT}as it came"})
    write(ours, {"prompts/chat.md": f"{CHAT}everyone's"})
    changed = {"moss/prompts/chat.md": f"{CHAT}as I want it", "prompts/chat.md": f"{CHAT}mine for all"}
    mine = write(tmp_path / "mine", changed)
    found = {
        order: load_agents(folders)["moss"].roles[0].text
        for order, folders in {"mine": [mine, ours], "ours": [ours, mine], "alone": [ours]}.items()
    }
    assert found == {"mine": "as I want it", "ours": "as it came", "alone": "as it came"}


@pytest.mark.parametrize(
    ("files", "where", "why"),
    [
        ({}, ":1: ", "this folder has no agent"),
        ({"lull/agent.md": HEAD}, "agent.md:1: ", "no instructions"),
        ({"lull/agent.md": "no head"}, "agent.md:1: ", "name: Field required (The agent's name"),
        ({"lull/agent.md": "---\nname: lull\nusername: '@x'\n---\na"}, "agent.md:3: ", "username: "),
        ({"lull/agent.md": "---\nname: lull\nusername: müller_bot\n---\na"}, "agent.md:3: ", "username: "),
        (
            {"lull/agent.md": "---\nname: 007\nusername: lull_bot\n---\na"},
            "agent.md:2: ",
            "name: write a string; put numbers",
        ),
        ({"lull/agent.md": f"<!-- mine -->\n{HEAD}a"}, "agent.md:2: ", "front matter must be at the top"),
        (
            {"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "# Mine\n\n---\nunlocks: [send]\n---\nx"},
            "chat.md:3: ",
            "front matter must be at the top of the file: move the text above this line to below the front matter",
        ),
        (
            {"lull/agent.md": "---\nname: lull\nusername: lull_bot\ncolour: red\n---\na"},
            "agent.md:4: ",
            "known: name, ",
        ),
        ({"lull/agent.md": f"{HEAD}a\n{{nobody}}"}, "agent.md:6: ", "no variable {nobody}"),
        (
            {"lull/agent.md": "---\nname: lull\nusername: lull_bot\ntimezone: Mars/Base\n---\na"},
            "agent.md:4: ",
            "timezone: unknown time zone 'Mars/Base'; expected a name such as Europe/Kyiv or UTC",
        ),
        ({"lull/agent.md": "---\ntimezone: 2\n---\na"}, "agent.md:2: ", "timezone: unknown time zone '2'"),
        ({"lull/agent.md": f"{HEAD}a"}, "agent.md:1: ", "no role prompt chat.md"),
        (
            {"lull/agent.md": "---\nname: lull\nusername: lull_bot\nprompts: [x]\n---\na"},
            "agent.md:4: ",
            "no role prompt x.md",
        ),
        (
            {
                "lull/agent.md": "---\nname: lull\nusername: lull_bot\nprompts: [chat, reactin]\n---\na",
                "prompts/chat.md": "x",
                "prompts/reacting.md": "x",
            },
            "agent.md:4: ",
            "no role prompt reactin.md; did you mean 'reacting'?",
        ),
        (
            {"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "---\n\nunlocks: [sing]\n---\nx"},
            "chat.md:3: ",
            "unknown kind of task or tool: sing (known: think, ",
        ),
        (
            {"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "---\nunlocks: [Reacts]\n---\nx"},
            "chat.md:2: ",
            "unknown kind of task or tool: Reacts; did you mean 'react'?",
        ),
        (
            {"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "---\nunlock: [send]\n---\nx"},
            "chat.md:2: ",
            "unknown key 'unlock'; did you mean 'unlocks'? (known: unlocks)",
        ),
        (
            {"lull/agent.md": "---\nname: lull\nusername: lull_bot\nTime_Zone: UTC\n---\na"},
            "agent.md:4: ",
            "unknown key 'Time_Zone'; did you mean 'timezone'? (known: name, username, ",
        ),
        (
            {"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "---\nunlocks: send\n---\nx"},
            "chat.md:2: ",
            "a list",
        ),
        ({"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "---\nunlocks: 5\n---\nx"}, "chat.md:2: ", "a list"),
        ({"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "\n{nobody}"}, "chat.md:2: ", "no variable {nobody}"),
        ({"lull/agent.md": f"{HEAD}a\n\n{{if dance}}b{{end}}"}, "agent.md:7: ", "unknown condition 'dance'"),
        ({"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "\n\n{if send}x"}, "chat.md:3: ", "has no {end}"),
        ({"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "x{end}"}, "chat.md:1: ", "no {if …} or {unless …}"),
    ],
)
def test_a_mistake_is_told_with_its_file_and_line(tmp_path: Path, files: dict[str, str], where: str, why: str) -> None:
    with pytest.raises(InvalidPersona) as caught:
        load_agents([write(tmp_path, files)])
    assert where in str(caught.value)
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("prompts: []", "the agent could never answer: its prompts (none) unlock neither send nor react"),
        (
            "prompts: []",
            "; add `chat` to `prompts`, or write `unlocks: [send]` at the top of one of them, between two lines ---",
        ),
        ("prompts: [waiting, plain]", "the agent could never answer: its prompts (waiting, plain) unlock neither"),
        (
            "prompts: chat",
            "prompts: write a list, such as [one, two] (The names of its role prompts, in the order of the prompt.)",
        ),
        ("aliases: lulla", "aliases: write a list, such as [one, two]"),
        ("aliases: [lulla, '']", "aliases: '' is not usable as a name; write one with a letter"),
        ("aliases: ['?']", "aliases: '?' is not usable as a name"),
        ("aliases: [\u200b\u200b]", "is not usable as a name"),
        ("username: other_bot", "'username' is repeated here"),
    ],
)
def test_what_would_load_and_never_work_is_told_with_its_line(tmp_path: Path, line: str, why: str) -> None:
    files = {
        "lull/agent.md": f"---\nname: lull\nusername: lull_bot\n{line}\n---\na",
        "prompts/chat.md": f"{CHAT}x",
        "prompts/waiting.md": "---\nunlocks: [think, wait]\n---\nx",
        "prompts/plain.md": "x",
    }
    with pytest.raises(InvalidPersona) as caught:
        load_agents([write(tmp_path, files)])
    assert "agent.md:4: " in str(caught.value)
    assert why in str(caught.value)


def test_a_name_of_blanks_is_none(tmp_path: Path) -> None:
    files = {"lull/agent.md": "---\nname: ' '\nusername: lull_bot\n---\na", "prompts/chat.md": f"{CHAT}x"}
    with pytest.raises(InvalidPersona, match=r"agent\.md:2: name: ' ' is not usable as a name"):
        load_agents([write(tmp_path, files)])


@pytest.mark.parametrize("alias", ["🤖", "C++", "ルル", "لول", "7"])
def test_a_name_may_be_of_any_script(tmp_path: Path, alias: str) -> None:
    head = HEAD.replace("username", f"aliases: ['{alias}']\nusername")
    folder = write(tmp_path, {"lull/agent.md": f"{head}a", "prompts/chat.md": f"{CHAT}x"})
    assert load_agents([folder])["lull"].names == ("lull", alias)


def test_who_only_reacts_is_heard_too(tmp_path: Path) -> None:
    folder = write(tmp_path, {"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "---\nunlocks: [react]\n---\nx"})
    assert load_agents([folder])["lull"].kinds == ("react",)


def test_a_chat_prompt_that_unlocks_nothing_is_no_chat(tmp_path: Path) -> None:
    folder = write(tmp_path, {"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "x"})
    with pytest.raises(InvalidPersona, match=r"agent\.md:1: the agent could never answer: its prompts \(chat\) unlock"):
        load_agents([folder])


def test_each_agent_has_a_bot_of_its_own(tmp_path: Path) -> None:
    files = {"lull/agent.md": f"{HEAD}a", "moss/agent.md": f"{HEAD.replace('lull_bot', 'Lull_Bot')}b"}
    folder = write(tmp_path / "one", files | {"prompts/chat.md": f"{CHAT}x"})
    with pytest.raises(
        InvalidPersona, match=r"moss/agent\.md:3: username: @Lull_Bot is also the bot of .*lull/agent\.md"
    ):
        load_agents([folder])
    mine = write(tmp_path / "two", {"moss/agent.md": f"{HEAD.replace('lull_bot', 'moss_bot')}b"})
    assert set(load_agents([mine, folder])) == {"lull", "moss"}


def test_the_notes_of_the_nearest_model_are_taken(tmp_path: Path) -> None:
    notes = {f"prompts/models/{name}.md": name for name in ("gemini-3", "gemini-3.8", "qwen2.5")}
    folder = write(tmp_path, notes)
    models = ("gemini-3.8-flash", "gemini-3.5", "qwen2.5-coder", "x")
    assert [load_model_notes([folder], model).text for model in models] == ["gemini-3.8", "gemini-3", "qwen2.5", ""]


def test_small_models_without_notes_of_their_own_share_some(tmp_path: Path) -> None:
    folder = write(tmp_path, {f"prompts/models/{name}.md": name for name in ("small", "gemma-3")})
    models = ("qwen3-1.7b", "qwen2.5-coder:1.5b", "gemma-3-1b", "qwen3:8b", "small-12b")
    said = [load_model_notes([folder], model).text for model in models]
    assert said == ["small", "small", "gemma-3", "", ""]


def test_the_notes_on_a_model_say_whether_it_calls_functions(tmp_path: Path) -> None:
    folder = write(tmp_path, {"prompts/models/a.md": "---\nfunctions: false\n---\nx", "prompts/models/b.md": "x"})
    assert [load_model_notes([folder], model).calls_functions for model in ("a-1", "b-1", "c-1")] == [False, True, True]


def test_a_model_is_not_offered_what_it_does_not_cope_with(tmp_path: Path) -> None:
    folder = write(tmp_path, {"prompts/models/a.md": "---\nwithholds: [remember]\n---\nx"})
    assert load_model_notes([folder], "a-1").withholds == ("remember",)
    for wrong in ("remember", "[fly]", "[1]"):
        folder = write(tmp_path, {"prompts/models/a.md": f"---\nwithholds: {wrong}\n---\nx"})
        with pytest.raises(InvalidPersona, match="list of kinds of task"):
            load_model_notes([folder], "a-1")


def test_whether_a_model_calls_functions_is_yes_or_no(tmp_path: Path) -> None:
    folder = write(tmp_path, {"prompts/models/a.md": "---\nfunctions: seldom\n---\nx"})
    with pytest.raises(InvalidPersona, match=r"a\.md:2: functions must be true or false"):
        load_model_notes([folder], "a-1")


def test_an_unknown_variable_in_a_models_notes_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path, {"prompts/models/gemini.md": "a\n{nobody}"})
    with pytest.raises(InvalidPersona, match=r"gemini\.md:2: there is no variable"):
        load_model_notes([folder], "gemini-3.8-flash")


def test_a_models_notes_have_no_other_keys(tmp_path: Path) -> None:
    folder = write(tmp_path, {"prompts/models/gemini.md": "---\nunlocks: [send]\n---\na"})
    told = r"gemini\.md:2: unknown key 'unlocks' \(known: functions, withholds, codec\)"
    with pytest.raises(InvalidPersona, match=told):
        load_model_notes([folder], "gemini-3.8-flash")


def test_role_prompts_may_unlock_exactly_the_kinds_and_tools_that_there_are(tmp_path: Path) -> None:
    names = (*unlockable(), *tool_names())
    assert len(set(names)) == len(names)
    head = HEAD.replace("---\n", "---\nsticker_sets: [Moods]\nvoice: always\n", 1)
    files = {"lull/agent.md": f"{head}a", "prompts/chat.md": f"---\nunlocks: [{', '.join(names)}]\n---\nx"}
    agent = load_agents([write(tmp_path, files)])["lull"]
    assert (agent.kinds, agent.tools) == (tuple(unlockable()), tool_names())
    for name in kinds().keys() - unlockable().keys():
        write(tmp_path, {"prompts/chat.md": f"---\nunlocks: [{name}]\n---\nx"})
        with pytest.raises(InvalidPersona, match=f"unknown kind of task or tool: {name}"):
            load_agents([tmp_path])


def test_a_role_prompt_unlocks_tools_beside_kinds(tmp_path: Path) -> None:
    folder = write(
        tmp_path, {"lull/agent.md": f"{HEAD}a", "prompts/chat.md": "---\nunlocks: [calculate, send]\n---\nx"}
    )
    agent = load_agents([folder])["lull"]
    assert (agent.kinds, agent.tools) == (("send",), ("calculate",))


def test_a_prompt_with_a_function_is_there_whatever_the_codec(tmp_path: Path) -> None:
    head = "---\nname: lull\nusername: lull_bot\ncodec: markdown\nprompts: [chat]\n---\na"
    folder = write(tmp_path, {"lull/agent.md": head, "prompts/chat.md": "---\nunlocks: [calculate, send]\n---\nx"})
    assert load_agents([folder])["lull"].tools == ("calculate",)


def test_the_projects_own_agents_can_be_read() -> None:
    agents = load_agents([ROOT / "agents"])
    assert {"lull", "moss"} <= agents.keys()
    assert all("send" in agent.kinds for agent in agents.values())


def test_stickers_are_unlocked_for_a_persona_that_has_some(tmp_path: Path) -> None:
    prompts = {"prompts/chat.md": f"{CHAT}a", "prompts/stickering.md": "---\nunlocks: [sticker]\n---\nSend some."}
    head = HEAD.replace("---\n", "---\nprompts: [chat, stickering]\n", 1)
    without = load_agents([write(tmp_path, {"lull/agent.md": f"{head}a", **prompts})])["lull"]
    assert (without.kinds, [role.name for role in without.roles]) == (("send",), ["chat"])
    own = head.replace("---\n", "---\nstickers: [{set: Moods, sticker: 😂}]\n", 1)
    having = load_agents([write(tmp_path, {"lull/agent.md": f"{own}a"})])["lull"]
    assert (having.kinds, having.front.sets) == (("send", "sticker"), ("Moods",))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("sticker_sets: [https://t.me/addstickers/Moods]", r"sticker_sets\.1: "),
        ("sticker_sets: Moods", r"sticker_sets: write a list"),
        ("sticker_sets: [A, B, C, D, E, F]", r"sticker_sets: "),
        ("stickers: [{set: Moods}]", r"stickers\.1\.sticker: "),
        ("stickers: [{set: a b, sticker: 😂}]", r"stickers\.1\.set: "),
        ("stickers: [{set: Moods, sticker: 😂, size: 5}]", r"stickers\.1\.size: "),
    ],
)
def test_a_sticker_that_is_written_wrong_is_told_with_file_line_and_field(tmp_path: Path, line: str, why: str) -> None:
    files = {"lull/agent.md": HEAD.replace("---\n", f"---\n{line}\n", 1) + "a", "prompts/chat.md": f"{CHAT}a"}
    with pytest.raises(InvalidPersona, match=rf"agent\.md:2: {why}"):
        load_agents([write(tmp_path, files)])


def test_a_personas_photos_are_in_its_folder(tmp_path: Path) -> None:
    index = '[{"id": "heron", "file": "heron.png", "description": "A heron."}]'
    files = {"lull/agent.md": f"{HEAD}a", "prompts/chat.md": f"{CHAT}a", "lull/photos/index.json": index}
    folder = write(tmp_path, {**files, "lull/photos/heron.png": "a picture"})
    (photo,) = load_agents([folder])["lull"].photos
    assert (photo.id, photo.file) == ("heron", folder / "lull" / "photos" / "heron.png")


def test_a_models_notes_may_say_how_it_spells_plans(tmp_path: Path) -> None:
    folder = write(tmp_path, {"prompts/models/a.md": "---\ncodec: text\n---\nx", "prompts/models/b.md": "x"})
    assert [load_model_notes([folder], model).codec for model in ("a-1", "b-1")] == [Codec.TEXT, None]
    folder = write(tmp_path, {"prompts/models/a.md": "---\ncodec: yaml\n---\nx"})
    with pytest.raises(InvalidPersona, match=r"a\.md:2: codec must be one of: json, markdown, text"):
        load_model_notes([folder], "a-1")
