from local.cloud_tasks.times import duration, epoch_seconds, seconds, timestamp, whole_microseconds


def test_instants_keep_their_microseconds() -> None:
    assert epoch_seconds(timestamp(1_795_300_123.107481)) == 1_795_300_123.107481
    assert timestamp(12.0000004).nanos == 0


def test_lengths_keep_their_milliseconds() -> None:
    assert seconds(duration(0.1)) == 0.1
    assert seconds(duration(600)) == 600
    assert seconds(duration(15.00049)) == 15.0


def test_an_instant_is_cut_to_what_a_timestamp_says() -> None:
    cut = whole_microseconds(1_795_301_262.2719233)
    assert cut == epoch_seconds(timestamp(cut)) == 1_795_301_262.271923
