"""`make register` as a user runs it, with the deployed secrets."""

from collections.abc import Iterator

import pytest

from tests.operations.deployment.conftest import KEPT, TOKEN, TOKENS, Deployed, Site


@pytest.fixture
def site(deployed: Deployed) -> Iterator[Site]:
    """The deployed site. Its secrets file is restored afterwards."""
    yield deployed.site
    deployed.site.keep(**KEPT)


async def refusal(site: Site, *arguments: str, **env: str) -> str:
    """Return the output of a run that registered and stored nothing."""
    kept, told = site.safe.read_bytes() if site.safe.exists() else None, await site.told()
    code, said = await site.run("register", *arguments, **env)
    assert code == 1, said
    assert "claim_" not in said
    assert (site.safe.read_bytes() if site.safe.exists() else None, await site.told()) == (kept, told)
    return said


async def test_a_bot_that_lost_its_webhook_gets_it_again(site: Site) -> None:
    before = await site.webhook()
    await site.telegram.get(f"/bot{TOKEN}/deleteWebhook")
    code, said = await site.run("register")
    assert (code, "its webhook was set, there was none" in said) == (0, True)
    assert "Privacy mode is on: " in said
    assert await site.webhook() == before


async def test_another_secret_is_not_told_before_it_is_deployed(site: Site) -> None:
    assert (await site.run("register"))[0] == 0
    assert (await site.told())[-1] == "w" * 32
    site.keep(**KEPT | {"webhook_secret": ""})
    assert "has the webhook's secret that lull was deployed with" in await refusal(site)

    code, said = await site.run("deploy", "--yes")  # it makes a new secret and sets it with the existing webhook
    assert (code, "its webhook was correct, its secret was set again" in said) == (0, True), said
    new = (await site.told())[-1]
    assert new != "w" * 32
    assert new in site.safe.read_text()

    site.keep(**KEPT)
    assert "Or run `make deploy`, which deploys this checkout" in await refusal(site)
    code, said = await site.run("deploy", "--yes")
    assert code == 0, said
    assert (await site.told())[-1] == "w" * 32


async def test_where_the_secrets_are_not_known_none_is_made_up_asked_for_or_told(site: Site) -> None:
    site.safe.unlink()
    assert "has the bot tokens that lull was deployed with" in await refusal(site)
    tokens = f'{{"lull": "{TOKENS["moss"]}"}}'
    assert "TF_VAR_bot_tokens nor " in await refusal(site, TF_VAR_bot_tokens=tokens, TF_VAR_webhook_secret="w" * 32)
    tokens = f'{{"lull": "{TOKEN}"}}'
    assert "TF_VAR_webhook_secret nor " in await refusal(site, TF_VAR_bot_tokens=tokens)
    code, said = await site.run("register", TF_VAR_bot_tokens=tokens, TF_VAR_webhook_secret="w" * 32)
    assert code == 0, said
    assert not site.safe.exists()
