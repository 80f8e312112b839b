from local.telegram.settings import TelegramSettings


def test_by_default_it_is_as_patient_as_telegram_and_keeps_nothing() -> None:
    settings = TelegramSettings()
    assert (settings.clock_scale, settings.silence_seconds, settings.data_dir) == (1.0, 60.0, None)
    assert settings.recent_events == 5_000
