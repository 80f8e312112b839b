"""Claiming a bot; Firestore knows whether it has an owner."""

from datetime import UTC, datetime
from typing import Any

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from local.checks import RealBot
from local.claiming import page_claim_lines, real_claim_lines
from local.cloud import LocalCloud
from local.parts import PROJECT
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.paths import bot_path
from shared.values.registration import claim_code


async def test_a_bot_has_its_link_until_it_has_an_owner(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = RealBot(agent="unowned", username="my_bot", token="42:token", privacy="Privacy mode is on.")
    unknown = RealBot(agent="unknown", username="unknown", token="43:token")
    link = f"https://t.me/my_bot?start=claim_{claim_code('the-secret', 'unowned', 42)}"

    written = f"/claim {claim_code('the-secret', 'unowned', 42)}"
    (line,) = page_claim_lines({"unowned": "42:token"}, cloud.firestore_url, "the-secret")
    how = "To become its owner, send this to unowned in a private chat on the page"
    assert line == f"unowned has no owner yet. {how}: {written}"
    (line,) = real_claim_lines([bot, unknown], cloud.firestore_url, "the-secret")
    assert line == f"@my_bot has no owner yet. To become its owner, open this in Telegram: {link}"

    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    client: Any = AsyncClient(project=PROJECT)  # the method `close` has no types
    await FirestoreOwners(client).claim("unowned", 5, datetime.now(UTC))
    assert real_claim_lines([bot], cloud.firestore_url, "the-secret") == []
    assert page_claim_lines({"unowned": "42:token"}, cloud.firestore_url, "the-secret") == []
    await client.document(bot_path("unowned")).delete()  # this machine has one such project, which all runs share
    client.close()
