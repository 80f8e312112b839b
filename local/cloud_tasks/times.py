"""Instants and lengths of time: seconds as floats inside, Timestamp and Duration messages at the border."""

from datetime import timedelta
from math import floor

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp


def timestamp(epoch_seconds: float) -> Timestamp:
    """The message of an instant, cut to the microseconds that the service keeps."""
    message = Timestamp()
    message.FromMicroseconds(round(epoch_seconds * 1_000_000))
    return message


def whole_microseconds(epoch_seconds: float) -> float:
    """The latest instant not after this one that a Timestamp can say."""
    return floor(epoch_seconds * 1_000_000) / 1_000_000


def epoch_seconds(message: Timestamp) -> float:
    """Seconds since 1970 of a Timestamp, cut to the microsecond."""
    return float(message.ToMicroseconds() / 1_000_000)


def duration(seconds: float) -> Duration:
    """The message of a length of time."""
    message = Duration()
    message.FromTimedelta(timedelta(seconds=seconds))
    return message


def seconds(message: Duration) -> float:
    """Seconds of a Duration, cut to the millisecond."""
    return float(message.ToMilliseconds() / 1_000)
