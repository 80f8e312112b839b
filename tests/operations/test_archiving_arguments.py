"""The arguments of export, archive and restore."""

from operations.arguments import parse


def test_what_is_asked_for() -> None:
    assert vars(parse(["export"])) == {
        "command": "export",
        "conversation": None,
        "chat": None,
        "forgotten": False,
        "to": "export",
    }
    assert vars(parse(["export", "--chat=-100/7", "--to", "x"])) == {
        "command": "export", "conversation": None, "chat": "-100/7", "forgotten": False, "to": "x",
    }  # fmt: skip
    assert vars(parse(["archive", "gs://a/b"])) == {"command": "archive", "to": "gs://a/b"}
    assert vars(parse(["restore", "s3://a"])) == {"command": "restore", "place": "s3://a", "add": False}
    assert parse(["restore", "folder", "--add"]).add is True
