"""`make deploy` as somebody types it: Terraform for real against its stand-in, registration at a local Telegram."""

from tests.operations.deployment.conftest import TOKEN, Site


async def test_a_project_a_token_and_a_key_become_a_running_agent(site: Site) -> None:
    code, said = await site.run("deploy", said="yes\n")
    assert code == 0, said
    for step in range(1, 7):
        assert f"[{step}/6]" in said
    assert "lull: https://t.me/lull_test_bot (its webhook was set, there was none)" in said
    assert "privacy mode" in said
    assert "https://console.cloud.google.com/monitoring/dashboards/" in said
    info = await site.webhook()
    assert info["url"].startswith("https://lull-webhook-")
    assert info["url"].endswith("/lull")


async def test_deploying_again_changes_nothing_and_asks_nothing(site: Site) -> None:
    assert (await site.run("deploy", "--yes"))[0] == 0
    code, said = await site.run("deploy")
    assert code == 0, said
    assert "Nothing has changed; nothing was applied." in said
    assert "its webhook stands" in said


async def test_a_deployment_that_stopped_in_the_middle_goes_on(site: Site) -> None:
    # Terraform finds the bundles there, the stand-in does not
    stopped, said = await site.run("deploy", "--yes", TF_VAR_bundles="../build")
    assert stopped == 1
    assert "[5/6] applying" in said
    assert "stopped here. What is done stays" in said
    assert "Creation complete" in said
    assert said.rstrip().endswith("run the same command again.")
    code, said = await site.run("deploy", "--yes")
    assert code == 0, said
    assert "https://t.me/lull_test_bot" in said


async def test_what_is_in_the_way_is_said_before_anything_is_made(site: Site) -> None:
    site.apis.is_paid = False
    code, said = await site.run("deploy", "--yes")
    assert code == 1
    assert "[3/6]" in said
    assert said.rstrip().endswith("links one.")
    assert "gcloud billing projects link" in said
    assert not (site.folder / "build").exists()

    site.keep()
    code, said = await site.run("deploy", "--yes")
    assert (code, "There is nobody to ask for the bot token of the agent lull" in said) == (1, True)

    (site.folder / "infra" / "terraform.tfvars").unlink()
    code, said = await site.run("deploy", "--yes")
    assert code == 1
    assert "terraform.tfvars.example" in said


async def test_nothing_is_registered_where_nothing_is_deployed(site: Site) -> None:
    code, said = await site.run("register")
    assert code == 1
    assert said.rstrip().endswith("Nothing is deployed yet: `make deploy`.")


async def test_a_database_elsewhere_is_not_touched(site: Site) -> None:
    site.apis.database = "us-central1"
    code, said = await site.run("deploy", "--yes")
    assert code == 1
    assert 'set database_location = "us-central1" in terraform.tfvars' in said


async def test_a_bot_that_lost_its_webhook_gets_it_again(site: Site) -> None:
    assert (await site.run("deploy", "--yes"))[0] == 0
    before = await site.webhook()
    await site.telegram.get(f"/bot{TOKEN}/deleteWebhook")
    code, said = await site.run("register")
    assert (code, "its webhook was set, there was none" in said) == (0, True)
    assert await site.webhook() == before
