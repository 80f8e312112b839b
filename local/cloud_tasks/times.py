"""Converts times and durations: floats in seconds inside this server, Timestamp and Duration messages in the API."""

from datetime import timedelta
from math import floor

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp


def timestamp(epoch_seconds: float) -> Timestamp:
    """Return the Timestamp of a time, rounded to microseconds, the precision of the real service."""
    message = Timestamp()
    message.FromMicroseconds(round(epoch_seconds * 1_000_000))
    return message


def whole_microseconds(epoch_seconds: float) -> float:
    """Return a time rounded down to the precision of a Timestamp."""
    return floor(epoch_seconds * 1_000_000) / 1_000_000


def epoch_seconds(message: Timestamp) -> float:
    """Return the epoch seconds of a Timestamp, rounded down to the microsecond."""
    return float(message.ToMicroseconds() / 1_000_000)


def duration(seconds: float) -> Duration:
    """Convert a number of seconds to a Duration message."""
    message = Duration()
    message.FromTimedelta(timedelta(seconds=seconds))
    return message


def seconds(message: Duration) -> float:
    """Return the seconds of a Duration, rounded down to the millisecond."""
    return float(message.ToMilliseconds() / 1_000)
