"""Front matter, and the file and line of its errors."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import InvalidPersona
from shared.planning.personas.files import line_of, load_fronts, read_file
from tests.shared.examples import PROPERTY


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "agent.md"


def refusal(file: Path, content: bytes | str) -> InvalidPersona:
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InvalidPersona) as caught:
        read_file(file)
    assert str(caught.value).startswith(f"{file}:{caught.value.line}: ")
    return caught.value


@pytest.mark.parametrize(
    ("content", "fields", "text"),
    [
        ("---\nname: x\n---\nHello.\n", {"name": "x"}, "Hello."),
        ("\ufeff---\r\nname: x\r\n---\r\nHello.\r\n", {"name": "x"}, "Hello."),
        ("---\n---\nHello.", {}, "Hello."),
        ("\n \r\n---\nname: x\n---\nHello.\n", {"name": "x"}, "Hello."),
        ("---\n# nothing\n---\n", {}, ""),
        ("Hello.\n---\nname: x\n---\n", {}, "Hello.\n---\nname: x\n---"),
        ("", {}, ""),
        ("---\n1: x\n---\na\n---\nb", {"1": "x"}, "a\n---\nb"),
    ],
)
def test_the_head_and_the_text_below_it(file: Path, content: str, fields: dict[str, str], text: str) -> None:
    file.write_text(content, encoding="utf-8", newline="")
    assert read_file(file) == (fields, text)


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        ("---\nname: x\n", 1, "no closing line"),
        ("---\nname: x\nprompts: [chat\n---\n", 3, "not YAML"),
        ("---\nname: x\nb: : :\n---\n", 3, "not YAML"),
        ("\n\n---\nname: x\nb: : :\n---\n", 5, "not YAML"),
        ("\n---\nname: x\n", 2, "no closing line"),
        ("---\n- a\n- b\n---\n", 2, "`name: value`"),
        ("---\njust words\n---\n", 2, "`name: value`"),
        ("---\nname: x\nborn: 1\nname: y\n---\n", 4, "'name' is repeated here"),
        ("---\n{name: x, name: x}\n---\n", 2, "is repeated here"),
        ("---\nborn: 2026-13-45\n---\n", 2, "not YAML"),
        ("---\nname: \x07\n---\n", 2, "not YAML"),
        (b"---\nname: \xff\n---\n", 1, "not UTF-8"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(file: Path, content: bytes | str, line: int, why: str) -> None:
    error = refusal(file, content)
    assert error.line == line
    assert why in error.why


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidPersona, match=r"cannot be read \(Is a directory\)"):
        read_file(tmp_path)
    with pytest.raises(InvalidPersona, match="No such file"):
        read_file(tmp_path / "missing.md")


def test_the_line_of_a_field_is_looked_for_in_the_head_alone(file: Path) -> None:
    file.write_text("---\nname: x\naliases: []\n---\nusername: not here\n", encoding="utf-8")
    assert (line_of(file, "name"), line_of(file, "aliases"), line_of(file, "username")) == (2, 3, 1)
    file.write_text("\n---\nname: x\n---\nusername: not here\n", encoding="utf-8")
    assert (line_of(file, "name"), line_of(file, "username")) == (3, 1)


@PROPERTY
@given(st.text(st.sampled_from("-:{}[]&*!|>'\"%@`#,? \n\t0aé\x85\u2028"), max_size=30))
def test_any_head_is_read_or_refused_with_its_line(tmp_path_factory: pytest.TempPathFactory, head: str) -> None:
    file = tmp_path_factory.getbasetemp() / "odd.md"
    content = f"---\n{head}\n---\ntext"
    file.write_text(content, encoding="utf-8")
    line, fields = _read(file)
    assert 1 <= line <= len(content.splitlines())
    assert all(isinstance(name, str) for name in fields)


def _read(file: Path) -> tuple[int, dict[str, object]]:
    try:
        return 1, read_file(file)[0]
    except InvalidPersona as error:
        return error.line, {}


HEAD = "---\nname: {name}\nusername: {name}_bot\n---\nYou are {name}.\n"


def agent_in(folder: Path, name: str, content: str = "") -> Path:
    file = folder / name / "agent.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content or HEAD.format(name=name), encoding="utf-8")
    return folder


def test_the_front_matter_of_agents_is_read_without_their_role_prompts(tmp_path: Path) -> None:
    mine, ours = agent_in(tmp_path / "mine", "lull"), agent_in(tmp_path / "ours", "moss")
    agent_in(ours, "lull", HEAD.format(name="nobody"))
    fronts = load_fronts([mine, ours])
    assert {name: (front.username, front.names) for name, front in fronts.items()} == {
        "lull": ("lull_bot", ("lull",)),
        "moss": ("moss_bot", ("moss",)),
    }


@pytest.mark.parametrize(
    ("content", "where", "why"),
    [
        ("---\nname: x\n---\na", "agent.md:1: ", "username: Field required"),
        ("---\nname: '?'\nusername: some_bot\n---\na", "agent.md:2: ", "is not usable as a name"),
        ("---\nname: x\nusername: some_bot\ntimezone: Mars\n---\na", "agent.md:4: ", "unknown time zone"),
        ("---\nname: x\nusername: some_bot\n---\n", "agent.md:1: ", "no instructions"),
        (HEAD.format(name="moss"), "agent.md:3: ", "@moss_bot is also the bot of"),
    ],
)
def test_a_mistake_in_it_is_told_with_its_line(tmp_path: Path, content: str, where: str, why: str) -> None:
    agent_in(agent_in(tmp_path, "moss"), "other", content)
    with pytest.raises(InvalidPersona) as caught:
        load_fronts([tmp_path])
    assert where in str(caught.value)
    assert why in str(caught.value)


@pytest.mark.parametrize("name", ["My Agent", "böb", "bob.v2", "a,b", "lull copy"])
def test_a_folder_that_no_address_can_have_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidPersona, match=r"agent.md:1: the folder's name .* is part of the webhook's address: use"):
        load_fronts([agent_in(tmp_path, name, HEAD.format(name="moss"))])


def test_a_hidden_folder_is_no_agent(tmp_path: Path) -> None:
    agent_in(agent_in(tmp_path, ".trash"), "moss")
    assert set(load_fronts([tmp_path])) == {"moss"}


@pytest.mark.parametrize("name", ["agent.md.txt", "agent.txt", "Agent.MD"])
def test_an_agent_whose_file_is_called_otherwise_is_told(tmp_path: Path, name: str) -> None:
    agent_in(tmp_path, "moss")
    file = agent_in(tmp_path, "bob") / "bob" / "agent.md"
    file.rename(file.with_name(name))
    if file.exists():  # a disk that knows no capitals has it all the same
        assert set(load_fronts([tmp_path])) == {"moss", "bob"}
        return
    with pytest.raises(InvalidPersona, match=f"{name}:1: an agent's file must be called agent.md: rename it"):
        load_fronts([tmp_path])


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    (agent_in(tmp_path, "moss") / "bob").mkdir()
    (tmp_path / "bob" / "agent.md").symlink_to(tmp_path / "gone")
    with pytest.raises(InvalidPersona, match=r"bob/agent.md:1: the file cannot be read"):
        load_fronts([tmp_path])


def test_folders_without_an_agent_are_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(InvalidPersona, match="this folder has no agent"):
        load_fronts([tmp_path])
