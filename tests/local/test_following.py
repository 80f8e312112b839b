from pathlib import Path

from local.following import Follower


def test_only_what_comes_is_read_and_only_whole_lines(tmp_path: Path) -> None:
    log = tmp_path / "tick.log"
    log.write_text("old\n")
    follower = Follower(tmp_path)
    with log.open("a") as out:
        out.write("new\nha")
    assert list(follower.lines()) == [("tick", "new")]
    with log.open("a") as out:
        out.write("lf\n")
    assert list(follower.lines()) == [("tick", "half")]
    assert list(follower.lines()) == []
    follower.close()


def test_a_log_that_is_turned_over_is_followed(tmp_path: Path) -> None:
    log = tmp_path / "tick.log"
    log.touch()
    follower = Follower(tmp_path)
    log.write_text("before\n")
    log.rename(tmp_path / "tick.log.1")
    log.write_text("after\n")
    assert list(follower.lines()) == [("tick", "before"), ("tick", "after")]
    follower.close()


def test_one_part_alone_and_parts_that_come_later(tmp_path: Path) -> None:
    one, every = Follower(tmp_path, "tick"), Follower(tmp_path)
    (tmp_path / "tick.log").write_text("tock\n")
    (tmp_path / "webhook.log").write_text("hook\n")
    assert list(one.lines()) == [("tick", "tock")]
    assert list(every.lines()) == [("tick", "tock"), ("webhook", "hook")]
    assert list(every.last(5)) == [("tick", "tock"), ("webhook", "hook")]
    one.close()
    every.close()
