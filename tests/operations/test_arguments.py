"""The command line of `python -m operations`."""

import pytest

from operations.arguments import parse


def test_what_is_asked_for() -> None:
    assert vars(parse(["incidents"])) == {"command": "incidents", "kind": None, "all": False}
    assert vars(parse(["incidents", "--kind", "dead_letter", "--all"]))["kind"] == "dead_letter"
    assert vars(parse(["replay", "a", "b"])) == {"command": "replay", "ids": ["a", "b"], "all": False}
    assert vars(parse(["describe"])) == {"command": "describe", "again": False}
    assert vars(parse(["describe", "--again"]))["again"] is True
    assert vars(parse(["replay", "--all"])) == {"command": "replay", "ids": [], "all": True}


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (
            [],
            "arguments are required: incidents | replay | describe | rebuild | export | archive | restore",
        ),
        (["replays"], "invalid choice: 'replays'"),
        (["incidents", "--kind", "dead"], "choose from 'dead_letter', 'unknown_delivery', 'dropped_plan'"),
        (["export", "--chat", "1", "--conversation", "conv-x"], "not allowed with argument"),
        (["archive", "a-folder"], "a-folder is not a bucket (gs://… or s3://…); to write to a folder, use export"),
        (["archive", "gs://"], "gs:// is not a bucket"),
        (["restore"], "the following arguments are required: FROM"),
        (["replay", "x", "--all"], "give the IDs of dead letters or --all, not both"),
    ],
)
def test_what_makes_no_sense_is_said(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(argv)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
