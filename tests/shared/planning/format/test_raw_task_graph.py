import pytest

from shared.planning.format.raw_task import RawTask, ReplyProblem, link_tasks


def graph_of(*tasks: str) -> dict[str, tuple[str, ...]] | str:
    """Return the dependencies of each task, in the order of the plan; or the hint of the problem.

    A task is written `id`, `id<need,need` or `id<` (needs none); without an id before `<` it has none. `?` before it
    makes its kind unknown, `~` makes it a thought.
    """
    linked = link_tasks([_raw(task) for task in tasks], [task[:1] not in ("?", "~") for task in tasks])
    return linked.hint if isinstance(linked, ReplyProblem) else {link.id: link.depends_on for link in linked[0]}


def _raw(task: str) -> RawTask:
    kind = {"?": "sticker", "~": "think"}.get(task[:1], "send")
    name, said, needs = task.lstrip("?~").partition("<")
    depends_on = tuple(filter(None, needs.split(","))) if said else None
    return RawTask(kind=kind, id=name, depends_on=depends_on, fields={})


@pytest.mark.parametrize(
    ("tasks", "graph"),
    [
        ((), {}),
        (("a",), {"a": ()}),
        (("a", "b", "c"), {"a": (), "b": ("a",), "c": ("b",)}),
        (("a", "b<", "c<a"), {"a": (), "b": (), "c": ("a",)}),
        (("a", "b<", "c<b,a,b"), {"a": (), "b": (), "c": ("b", "a")}),
        (("", "", ""), {"1": (), "2": ("1",), "3": ("2",)}),
        (("", "", "<1"), {"1": (), "2": ("1",), "3": ("1",)}),
        (("2", "", ""), {"2": (), "task-2": ("2",), "3": ("task-2",)}),
    ],
)
def test_a_task_follows_the_one_before_unless_it_says_otherwise(
    tasks: tuple[str, ...], graph: dict[str, tuple[str, ...]]
) -> None:
    assert graph_of(*tasks) == graph


@pytest.mark.parametrize(
    ("tasks", "graph"),
    [
        (("a<b", "b"), {"b": (), "a": ("b",)}),
        (("a", "b<c", "c"), {"a": (), "c": ("a",), "b": ("c",)}),
        (("a<c", "b<c", "c"), {"c": (), "a": ("c",), "b": ("c",)}),
        (("a<b", "b<c", "c", "d"), {"c": (), "b": ("c",), "a": ("b",), "d": ("c",)}),
    ],
)
def test_a_forward_reference_changes_the_order(tasks: tuple[str, ...], graph: dict[str, tuple[str, ...]]) -> None:
    read = graph_of(*tasks)
    assert read == graph
    assert list(read) == list(graph)


@pytest.mark.parametrize(
    ("tasks", "graph"),
    [
        (("~", "a", "~", "b"), {"a": (), "b": ("a",)}),
        (("~", "", "~", ""), {"1": (), "2": ("1",)}),
        (("a", "~t", "b<t"), {"a": (), "b": ("a",)}),
        (("a", "~t<", "b"), {"a": (), "b": ("a",)}),
        (("a", "?x", "b"), {"a": (), "b": ("a",)}),
        (("a", "b<", "?x<a,b", "c<x"), {"a": (), "b": (), "c": ("a", "b")}),
        (("a", "?x", "?y", "b<y"), {"a": (), "b": ("a",)}),
        (("?x<y", "?y<x", "a<x"), {"a": ()}),
        (("a<x", "?x<a"), {"a": ()}),
        (("?x", "a<x"), {"a": ()}),
        (("a", "?a", "b<a"), {"a": (), "b": ("a",)}),
    ],
)
def test_what_is_left_out_leaves_its_place_to_its_needs(
    tasks: tuple[str, ...], graph: dict[str, tuple[str, ...]]
) -> None:
    assert graph_of(*tasks) == graph


@pytest.mark.parametrize(
    ("tasks", "graph"),
    [
        (("a", "a<a"), {"a": (), "task-a": ("a",)}),
        (("x", "a<", "b<a", "a"), {"x": (), "a": (), "b": ("a",), "task-a": ("b",)}),
        (("a", "a<", "b<a"), {"a": (), "task-a": (), "b": ("task-a",)}),
        (("a", "a<a", "a<a,a"), {"a": (), "task-a": ("a",), "task-task-a": ("task-a",)}),
        (("b<a", "a", "a<b"), {"a": (), "b": ("a",), "task-a": ("b",)}),
        (("a", "task-a", "a<x,a", "c<a"), {"a": (), "task-a": ("a",), "task-task-a": ("a",), "c": ("task-task-a",)}),
        (("?a", "a", "b<a"), {"a": (), "b": ("a",)}),
        (("a", "?a", "b<a"), {"a": (), "b": ("a",)}),
    ],
)
def test_tasks_of_one_id_are_all_done_and_the_id_means_the_newest_above(
    tasks: tuple[str, ...], graph: dict[str, tuple[str, ...]]
) -> None:
    assert graph_of(*tasks) == graph


@pytest.mark.parametrize(
    ("tasks", "graph"),
    [
        (("a", "b<nobody", "c<nobody,a"), {"a": (), "b": ("a",), "c": ("a",)}),
        (("a", "b<b"), {"a": (), "b": ("a",)}),
        (("a", "b<", "c<c,a"), {"a": (), "b": (), "c": ("a",)}),
    ],
)
def test_a_need_that_cannot_be_is_ignored(tasks: tuple[str, ...], graph: dict[str, tuple[str, ...]]) -> None:
    assert graph_of(*tasks) == graph


@pytest.mark.parametrize(
    "tasks", [("a<b", "b<a"), ("a<c", "b<a", "c<b"), ("s", "a<b", "b<c,s", "c<a", "e"), ("a<x", "?x<b", "b<a")]
)
def test_a_circle_is_a_problem(tasks: tuple[str, ...]) -> None:
    assert "circle" in str(graph_of(*tasks))


@pytest.mark.parametrize(
    ("tasks", "notes"),
    [
        (("a", "b<a", "?x<nobody", "~t<t"), []),
        (("a", "b<nobody"), ["Task 2 depends on a task that does not exist; that was ignored."]),
        (("a<a", "b"), ["Task 1 depends on itself; that was ignored."]),
        (("a", "b<", "a"), ["Task 1 was left out: a later task is the same."]),
        (("a", "b", "a<b"), []),
    ],
)
def test_what_is_not_as_written_is_noted(tasks: tuple[str, ...], notes: list[str]) -> None:
    linked = link_tasks([_raw(task) for task in tasks], [task[:1] not in ("?", "~") for task in tasks])
    assert not isinstance(linked, ReplyProblem)
    assert linked[1] == notes
