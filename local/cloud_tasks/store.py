"""Stores queues, tasks and recently used names in one SQLite file, so that they survive restarts."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from local.cloud_tasks.errors import DataInUse
from local.cloud_tasks.queue import LocalQueue, QueueMessage, queue_from_message, queue_message
from local.cloud_tasks.task import QueuedTask, progress_from_record, progress_record

FILE_NAME = "cloud-tasks.sqlite3"

_TABLES = """
CREATE TABLE IF NOT EXISTS queues (name TEXT PRIMARY KEY, message BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tasks (
    name TEXT PRIMARY KEY,
    uid INTEGER NOT NULL,
    schedule_at REAL NOT NULL,
    progress TEXT NOT NULL,
    asked BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tombstones (name TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tombstones_by_end ON tombstones (until);
"""
_TASK = "SELECT name, asked, schedule_at, progress, uid FROM tasks"
_BURY = "INSERT OR REPLACE INTO tombstones (name, until)"


class TaskStore:
    """The store of all tasks. Without a directory it is in memory only.

    Each change is committed before the call returns. The file is locked: if a second server opens it, that server gets
    DataInUse. A commit survives the end of the process; only a power cut can undo the last commits.
    """

    def __init__(self, directory: Path | None = None) -> None:
        """Open or create the file in `directory`."""
        path = ":memory:"
        if directory is not None:
            directory.mkdir(parents=True, exist_ok=True)
            path = str(directory / FILE_NAME)
        self._db = sqlite3.connect(path, isolation_level=None, timeout=0.5)
        try:
            self._prepare()
        except sqlite3.OperationalError as cause:
            self._db.close()
            if directory is None or "locked" not in str(cause):
                raise
            raise DataInUse(directory) from cause
        messages = (QueueMessage.FromString(row[0]) for row in self._db.execute("SELECT message FROM queues"))
        self._queues = {message.name: queue_from_message(message) for message in messages}
        last_uid = self._db.execute("SELECT max(uid) FROM tasks").fetchone()[0]
        self._uids = count((last_uid or 0) + 1)

    def close(self) -> None:
        """Close the file. No other method may be called afterwards."""
        self._db.close()

    def queue(self, name: str) -> LocalQueue | None:
        """Return the queue with that name; None if there is none."""
        return self._queues.get(name)

    def queues(self) -> list[LocalQueue]:
        """Return all queues, sorted by name."""
        return [self._queues[name] for name in sorted(self._queues)]

    def save_queue(self, queue: LocalQueue) -> None:
        """Store a new or changed queue."""
        message = queue_message(queue).SerializeToString()
        self._db.execute("INSERT OR REPLACE INTO queues (name, message) VALUES (?, ?)", (queue.name, message))
        self._queues[queue.name] = queue

    def remove_queue(self, name: str, until: float) -> None:
        """Delete a queue. Its name cannot be reused until `until` (epoch seconds)."""
        with self._transaction():
            self._db.execute("DELETE FROM queues WHERE name = ?", (name,))
            self._db.execute(f"{_BURY} VALUES (?, ?)", (name, until))
        del self._queues[name]

    def add_task(self, task: QueuedTask) -> QueuedTask | None:
        """Store a task and return it with its new uid. Return None if there already is a task with that name."""
        stored = replace(task, uid=next(self._uids))
        done = self._db.execute(
            "INSERT INTO tasks (name, uid, schedule_at, progress, asked) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (name) DO NOTHING",
            (stored.name, stored.uid, stored.schedule_at, json.dumps(progress_record(stored.progress)), stored.asked),
        )
        return stored if done.rowcount else None

    def task(self, name: str) -> QueuedTask | None:
        """Return the task with that name; None if there is none."""
        row = self._db.execute(f"{_TASK} WHERE name = ?", (name,)).fetchone()
        return _task(row) if row else None

    def tasks(self, queue: str, after: str = "", limit: int = -1) -> list[QueuedTask]:
        """Return at most `limit` tasks of a queue in the order of their names, beginning after the name `after`. A
        limit of -1 means all.
        """
        first, end = _names_in(queue)
        rows = self._db.execute(
            f"{_TASK} WHERE name > ? AND name < ? ORDER BY name LIMIT ?", (max(after, first), end, limit)
        ).fetchall()
        return [_task(row) for row in rows]

    def schedule(self) -> Iterator[tuple[str, float]]:
        """Return every task's name and due time, in the order of creation."""
        yield from self._db.execute("SELECT name, schedule_at FROM tasks ORDER BY uid").fetchall()

    def save_progress(self, task: QueuedTask) -> None:
        """Store a task's progress and due time."""
        self._db.execute(
            "UPDATE tasks SET schedule_at = ?, progress = ? WHERE name = ? AND uid = ?",
            (task.schedule_at, json.dumps(progress_record(task.progress)), task.name, task.uid),
        )

    def remove_task(self, task: QueuedTask, now: float, until: float) -> None:
        """Delete a task. Its name cannot be reused until `until` (epoch seconds)."""
        with self._transaction():
            self._db.execute("DELETE FROM tasks WHERE name = ? AND uid = ?", (task.name, task.uid))
            self._db.execute("DELETE FROM tombstones WHERE until <= ?", (now,))
            self._db.execute(f"{_BURY} VALUES (?, ?)", (task.name, until))

    def purge(self, queue: str, until: float) -> None:
        """Delete all tasks of a queue. Their names cannot be reused until `until` (epoch seconds)."""
        with self._transaction():
            names = _names_in(queue)
            self._db.execute(f"{_BURY} SELECT name, ? FROM tasks WHERE name > ? AND name < ?", (until, *names))
            self._db.execute("DELETE FROM tasks WHERE name > ? AND name < ?", names)

    def forget_tasks(self) -> int:
        """Delete every task and every remembered name, as if they had never existed; return the number of tasks."""
        with self._transaction():
            lost = self._db.execute("DELETE FROM tasks").rowcount
            self._db.execute("DELETE FROM tombstones")
        return lost

    def is_buried(self, name: str, now: float) -> bool:
        """Return whether the name still cannot be reused, because a task or queue of that name was deleted or finished
        recently.
        """
        found = self._db.execute("SELECT 1 FROM tombstones WHERE name = ? AND until > ?", (name, now)).fetchone()
        return found is not None

    def _prepare(self) -> None:
        for pragma in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = NORMAL"):
            self._db.execute(f"PRAGMA {pragma}").fetchall()
        self._db.executescript(_TABLES)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def _names_in(queue: str) -> tuple[str, str]:
    """Return the lower and the upper bound of all task names of a queue. The upper bound ends with `0`, the character
    after `/`.
    """
    return f"{queue}/tasks/", f"{queue}/tasks0"


def _task(row: tuple[Any, ...]) -> QueuedTask:
    name, asked, schedule_at, progress, uid = row
    return QueuedTask(
        name=name,
        asked=asked,
        schedule_at=schedule_at,
        progress=progress_from_record(json.loads(progress)),
        uid=uid,
    )
