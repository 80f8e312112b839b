"""`make deploy` as a user runs it: real Terraform with its stand-in, and a local Telegram."""

import json
import re

from tests.infra.states import States
from tests.operations.deployment.conftest import TOKENS, Deployed, Site

VERSION = "google_secret_manager_secret_version"


async def test_a_project_a_token_and_a_key_become_a_running_agent(deployed: Deployed) -> None:
    code, said = deployed.done
    assert code == 0, said
    for step in range(1, 7):
        assert f"[{step}/7]" in said
    assert "lull: https://t.me/lull_test_bot (its webhook was set, there was none)" in said
    assert "Privacy mode is on: in groups, @lull_test_bot receives only commands" in said
    assert re.search(r"become the owner: https://t\.me/lull_test_bot\?start=claim_[a-z2-7]{20}\n", said)
    assert "https://console.cloud.google.com/monitoring/dashboards/" in said
    info = await deployed.site.webhook()
    assert info["url"].startswith("https://lull-webhook-")
    assert info["url"].endswith("/lull")


async def test_deploying_again_changes_nothing_and_asks_nothing(deployed: Deployed) -> None:
    deployed.site.apis.owners["lull"] = 5
    code, said = await deployed.site.run("deploy")
    deployed.site.apis.owners.clear()
    assert code == 0, said
    assert "It has an owner." in said
    assert "claim_" not in said
    assert "Nothing has changed, so nothing was applied." in said
    assert "its webhook was correct" in said


async def test_a_deployment_of_before_gets_a_secret_of_the_console_and_nobody_is_asked(
    deployed: Deployed,
    states: States,
) -> None:
    # the console's secret was made of the webhook's, and had the webhook's number
    site, kept = deployed.site, json.loads(deployed.site.safe.read_text())
    site.keep(**{name: value for name, value in kept.items() if name != "console_secret"})
    state = json.loads(states.kept[f"/{site.apis.project}"])
    stored = (one for one in state["resources"] if one["type"] == VERSION)
    versions = {one["module"]: one["instances"][0]["attributes"] for one in stored}
    number = versions['module.secret["webhook-secret"]']["secret_data_wo_version"]
    versions['module.secret["console-secret"]']["secret_data_wo_version"] = number
    states.kept[f"/{site.apis.project}"] = json.dumps(state).encode()

    code, said = await site.run("deploy", "--yes")
    assert code == 0, said
    assert f'module.secret["console-secret"].{VERSION}.this is replaced' in said
    assert "Resources: 1 added, 1 changed, 1 destroyed" in said  # the secret's version; the function that reads it
    now = json.loads(site.safe.read_text())
    assert {name: now[name] for name in kept} == kept | {"console_secret": now["console_secret"]}
    assert now["console_secret"] not in (kept["console_secret"], kept["webhook_secret"], "")
    site.keep(**kept)
    assert (await site.run("deploy", "--yes"))[0] == 0


async def test_a_deployment_that_stopped_in_the_middle_goes_on(deployed: Deployed) -> None:
    code, said = deployed.stopped
    assert code == 1
    assert "[5/7] applying" in said
    assert "stopped. Finished steps are kept" in said
    assert "Creation complete" in said
    assert said.rstrip().endswith("run the same command again.")
    assert "https://t.me/lull_test_bot" not in said
    made = re.search(r"Apply complete! Resources: (\d+) added, 0 changed, 0 destroyed", deployed.done[1])
    assert made
    assert 0 < int(made[1]) < said.count("Creation complete")


async def test_what_is_in_the_way_is_said_before_anything_is_made(site: Site) -> None:
    site.apis.is_paid = False
    code, said = await site.run("deploy", "--yes")
    assert code == 1
    assert "[2/7]" in said
    assert said.rstrip().endswith("--billing-account=ACCOUNT`.")
    assert "gcloud billing projects link" in said
    assert not (site.folder / "build").exists()

    site.keep()
    code, said = await site.run("deploy", "--yes")
    assert (code, "Billing is not enabled" in said) == (1, True), "the project is looked at before anybody is asked"
    site.apis.is_paid = True
    code, said = await site.run("deploy", "--yes")
    assert (code, "The bot token of the agent lull is missing" in said) == (1, True)

    (site.folder / "infra" / "terraform.tfvars").unlink()
    code, said = await site.run("deploy", "--yes")
    assert code == 1
    assert "terraform.tfvars.example" in said


async def test_data_elsewhere_is_not_touched(site: Site) -> None:
    site.apis.database = "us-central1"
    code, said = await site.run("deploy", "--yes")
    assert code == 1
    assert 'set database_location = "us-central1" in terraform.tfvars' in said

    site.apis.database = ""
    site.write(archive=True, database_location="eur3")
    archive = f"{site.apis.project}-lull-archive"
    site.apis.buckets[archive] = "EUROPE-WEST1"
    code, said = await site.run("deploy", "--yes")
    assert code == 1
    assert f"The archive is in the bucket {archive} in EUROPE-WEST1, not in EU, and a bucket cannot be moved" in said
    assert not (site.folder / "build").exists()


async def test_where_no_model_is_geminis_the_key_of_the_provider_is_asked_for_and_no_other(site: Site) -> None:
    site.write(
        model_providers={"groq": ""}, settings={"LULL_MODEL": "groq:llama-3.3-70b-versatile", "LULL_LIMITS": "no"}
    )
    site.keep(bot_tokens=TOKENS)
    code, said = await site.run("deploy", "--yes")
    assert (code, "[3/7]" in said, "[4/7]" in said) == (1, True, False), said
    assert "No Gemini model is used, so no Gemini API key is needed, and LULL_EMBEDDING_MODEL, " in said
    assert "The API key of groq is missing; enter it in a terminal, or set TF_VAR_model_provider_keys=" in said
