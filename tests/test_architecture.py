"""The shape of the code, held by a test: sizes, borders, one reader of the environment.

`.importlinter` lists the allowed imports between packages.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks import structure
from benchmarks.static.program import parse
from infra.bundle import ROOT

CODE = ("shared", "functions", "local", "infra", "operations", "benchmarks")
#: a file is split where its subject changes; it was 300 lines, which made satellites of files that met it
LONGEST_FILE = 400
LONGEST_FUNCTION = 40
PATHS = ROOT / "shared" / "chat" / "store" / "paths.py"
#: Firestore's collections, and the methods of its client that take their names
COLLECTIONS = (
    "chats", "inbox", "window", "screen", "conversations", "messages", "compression", "plans", "past", "incidents",
    "bots", "sweeps", "archives", "people", "entities", "canaries", "notices", "events", "lookups", "media",
    "references", "memberships", "memories", "observations", "rebuilds", "segments", "summaries", "takeouts", "usage",
    "budgets", "accounts", "erasures",
)  # fmt: skip
FINDERS = {"document", "collection", "collection_group"}
FUNCTIONS_MAY_IMPORT = {"wiring", "values", "base", "jobs"}


def python_files(*folders: str) -> list[Path]:
    return [f for folder in folders for f in sorted((ROOT / folder).rglob("*.py")) if "__pycache__" not in f.parts]


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """List all nodes of a file's syntax tree."""
    return tuple(ast.walk(parse(file.read_text())))


@cache
def imports_of(file: Path) -> tuple[str, ...]:
    """List all modules that a file imports, at any place."""
    found: list[str] = []
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
    return tuple(found)


@pytest.fixture(scope="module", autouse=True)
def parsed_once() -> Iterator[None]:
    """Keep parsed files only during the tests of this module."""
    yield
    for kept in (parse, nodes_of, imports_of):
        kept.cache_clear()


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    """Compute the figures of the structure as the measure does."""
    return structure.figures(ROOT)


def test_this_tree_is_measured(figures: dict[str, Any]) -> None:
    assert figures["shared_lines"] > figures["shared_files"] > figures["shared_packages"] > 5
    assert figures["walk_returns"] > figures["walk_modules"] > 5


@pytest.mark.parametrize("name", sorted(structure.LIMITS.keys() - structure.OF_A_RUN))
def test_the_structure_gets_no_worse(figures: dict[str, Any], name: str) -> None:
    # where it does, the figures beside it say where to look
    assert figures[name] <= structure.LIMITS[name], figures


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    lengths = {name_of(f): len(f.read_text().splitlines()) for f in python_files(*CODE)}
    assert {name: n for name, n in lengths.items() if n > LONGEST_FILE} == {}


def test_no_function_is_longer_than_forty_lines() -> None:
    long = {}
    for file in python_files(*CODE):
        for node in nodes_of(file):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    long[f"{name_of(file)}:{node.name}"] = lines
    assert long == {}


def test_only_the_settings_read_the_environment() -> None:
    readers = [name_of(f) for f in python_files("shared", "functions") if _reads_environment(f)]
    assert readers == ["shared/wiring/settings/environment.py"]


def _reads_environment(file: Path) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr in {"environ", "getenv"} for n in nodes_of(file))


@pytest.mark.parametrize("file", python_files("functions"), ids=name_of)
def test_functions_import_only_wiring_jobs_values_and_base(file: Path) -> None:
    parts = [set(m.split(".")[1:3]) for m in imports_of(file) if m.startswith("shared.")]
    assert all(one & FUNCTIONS_MAY_IMPORT for one in parts)


def test_production_code_knows_no_local_cloud() -> None:
    strangers = {
        name_of(f): m
        for f in python_files("shared", "functions")
        for m in imports_of(f)
        if m.split(".")[0] in {"local", "tests", "benchmarks", "infra", "functions", "operations"}
    }
    assert strangers == {}


#: modules that read Telegram's JSON: the border, and the stores, documents and values that keep raw updates
READS_TELEGRAM = {"telegram", "store", "documents", "values"}
#: fields of the Bot API whose names lull does not use itself
OF_TELEGRAM = {
    "edited_message", "channel_post", "callback_query", "my_chat_member", "new_chat_member", "reply_to_message",
    "caption", "caption_entities", "entities", "from", "sender_chat", "forward_origin", "migrate_to_chat_id",
    "bot_command", "text_mention",
}  # fmt: skip


def test_telegrams_json_is_read_at_its_border_alone() -> None:
    reads = {
        name_of(file): list(_raw_reads(file))
        for file in python_files("shared")
        if READS_TELEGRAM.isdisjoint(file.relative_to(ROOT / "shared").with_suffix("").parts[:2])
    }
    assert {name: found for name, found in reads.items() if found} == {}


@pytest.mark.parametrize(
    "line",
    [
        "update.raw",
        'update.raw["message"]',
        'raw["message"].get("text")',
        'message.get("reply_to_message")',
        'subject["from"]',
        'e.get("offset") == 0',
    ],
)
def test_a_raw_read_is_seen(line: str, tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(f"from shared.values.update import InboxUpdate\n{line}\n")
    assert list(_raw_reads(file))


def _raw_reads(file: Path) -> Iterator[str]:
    """Yield the places where a module reads a raw update.

    A module without updates may have another kind of `raw`, or fields with the same common names.
    """
    takes_updates = "shared.values.update" in imports_of(file)
    names = OF_TELEGRAM | ({"message", "message_id", "chat", "text", "type", "offset"} if takes_updates else set())
    for node in nodes_of(file):
        is_raw = takes_updates and isinstance(node, ast.Attribute) and node.attr == "raw"
        if is_raw or _field_read(node) in names:
            yield f"{node.lineno}: {ast.unparse(node)}" if isinstance(node, ast.expr) else ""


def _field_read(node: ast.AST) -> object:
    """Return the constant key with which an expression reads a mapping: `found["x"]`, `found.get("x")`."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=name), ctx=ast.Load()):
            return name
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=name), *_]):
            return name
    return None


def test_the_owners_commands_know_no_local_cloud() -> None:
    # they speak to any lull; the one on this machine says in a file how it is reached (operations/running.py)
    strangers = {
        name_of(f): m
        for f in python_files("operations", "infra")
        for m in imports_of(f)
        if m.split(".")[0] in {"local", "tests", "benchmarks", "functions"}
    }
    assert strangers == {}


def test_every_query_is_declared() -> None:
    # only declared queries are compared with the indexes of infra; bounds and marks are added to them
    asks = re.compile(r"""FieldFilter\([^)]*"==|\.collection_group\(|\.order_by\((?!NAME)""")
    found = {file.name for file in (ROOT / "shared").rglob("*.py") if asks.search(file.read_text())}
    assert found == {"queries.py"}


def test_only_one_module_names_a_path_of_firestore() -> None:
    # the minimal function of a benchmark has its own documents, and none of lull's modules
    files = [f for f in python_files("shared", "local", "operations", "benchmarks") if f.parent.name != "floor"]
    naming = [name_of(f) for f in files if f != PATHS and any(_is_path(text) for text in _firestore_texts(f))]
    assert naming == []


def _firestore_texts(file: Path) -> Iterator[str]:
    """Yield the texts of a module that may be paths, formatted ones in pieces, and URLs from the database on."""
    nodes = nodes_of(file)
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    yield from (text.partition("/documents/")[2] for text in texts)
    if "firestore" not in file.parts and not any(m.startswith("google.cloud.firestore") for m in imports_of(file)):
        return
    pieces = [piece for node in nodes if isinstance(node, ast.JoinedStr) for piece in node.values[1:]]
    yield from (str(piece.value).removeprefix("/") for piece in pieces if isinstance(piece, ast.Constant))
    yield from texts
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FINDERS:
            yield from (f"{ast.literal_eval(arg)}/" for arg in node.args if isinstance(arg, ast.Constant))


def _is_path(text: str) -> bool:
    return text.startswith(tuple(f"{name}/" for name in COLLECTIONS))


def test_entry_points_are_short() -> None:
    for file in python_files("functions"):
        for node in parse(file.read_text()).body:
            if isinstance(node, ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno + 1 <= 25, name_of(file)


def test_no_mock_stands_in_for_a_server() -> None:
    words = ("unittest.mock", "mocker", "MagicMock", "monkeypatch.setattr")
    mocking = [
        name_of(f) for f in python_files("tests") if f != Path(__file__) and any(w in f.read_text() for w in words)
    ]
    assert mocking == []
