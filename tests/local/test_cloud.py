import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from local.cloud import CloudSpec, LocalCloud, PartFailed
from local.parts import PARTS
from local.processes import ROOT
from tests.forking import forked
from tests.local.watching import family_of, is_alive, wait_until

STAND_IN = Path(__file__).parent / "functions"
OWNER = """
import sys, time
from local.cloud import CloudSpec, LocalCloud
from local.parts import PRELOAD
with LocalCloud(CloudSpec(preload=PRELOAD)).running() as cloud:
    print(cloud.folder, *(cloud.pid(part) for part in cloud.parts), flush=True)
    time.sleep(600)
"""


@pytest.fixture(scope="module")
def whole() -> Iterator[LocalCloud]:
    with LocalCloud(forked(has_own_firestore=True)).running() as running:
        yield running


def info(cloud: LocalCloud, agent: str) -> dict[str, object]:
    answer = httpx.get(f"{cloud.telegram_url}/bot{cloud.tokens[agent]}/getWebhookInfo", timeout=30).json()
    return dict(answer["result"])


def test_every_part_serves_where_the_cloud_says(whole: LocalCloud) -> None:
    assert set(PARTS) <= whole.parts.keys()
    assert httpx.get(f"{whole.webhook_url}/healthz", timeout=30).is_success
    assert httpx.get(f"{whole.tick_url}/healthz", timeout=30).is_success
    assert httpx.get(f"{whole.summarize_url}/healthz", timeout=30).is_success
    assert httpx.get(f"{whole.scheduler_url}/healthz", timeout=30).is_success
    assert httpx.get(f"{whole.tasks_control_url}/healthz", timeout=30).is_success
    assert httpx.get(f"{whole.model_url}/healthz", timeout=30).is_success
    assert httpx.get(f"http://{whole.firestore_host}/", timeout=30).is_success
    assert whole.tasks_address == whole.url("cloud_tasks").removeprefix("http://")
    assert all(whole.exit_code(name) is None for name in PARTS)


def test_each_agent_is_a_bot_whose_updates_go_to_its_path(whole: LocalCloud) -> None:
    bots = {bot["username"] for bot in httpx.get(f"{whole.telegram_url}/world", timeout=30).json()["bots"]}
    assert bots == {agent.front.username for agent in whole.agents.values()}
    for agent in whole.agents:
        assert info(whole, agent)["url"] == f"{whole.webhook_url}/{agent}"
        assert "message_reaction" in str(info(whole, agent)["allowed_updates"])


def test_the_webhook_knows_the_secret_that_telegram_sends(whole: LocalCloud) -> None:
    headers = {"X-Telegram-Bot-Api-Secret-Token": whole.webhook_secret}
    update = {"update_id": 1}
    assert httpx.post(f"{whole.webhook_url}/lull", json=update, timeout=30).status_code == 401
    assert httpx.post(f"{whole.webhook_url}/lull", json=update, headers=headers, timeout=30).status_code == 200


def test_scheduled_jobs_run_when_they_are_asked_for(whole: LocalCloud) -> None:
    job, *_ = httpx.get(f"{whole.scheduler_url}/jobs", timeout=30).json()["jobs"]
    assert (job["name"], job["state"]) == ("sweep", "PAUSED")
    (attempt,) = httpx.post(f"{whole.scheduler_url}/jobs/sweep:run", timeout=30).json()["attempts"]
    assert attempt["status"] == 200


def test_a_killed_part_leaves_no_worker_and_comes_back_where_it_was(whole: LocalCloud) -> None:
    family = family_of(whole.pid("webhook"))
    assert len(family) > 1  # gunicorn's master and its worker
    whole.kill("webhook")
    assert whole.exit_code("webhook") == -signal.SIGKILL
    wait_until(lambda: not any(is_alive(pid) for pid in family))
    whole.start("webhook")
    assert httpx.get(f"{whole.webhook_url}/healthz", timeout=30).is_success


def test_a_part_can_be_restarted(whole: LocalCloud) -> None:
    before = whole.pid("model")
    whole.restart("model")
    assert whole.pid("model") != before
    assert not is_alive(before)
    assert httpx.get(f"{whole.model_url}/healthz", timeout=30).is_success


def test_one_more_instance_of_a_function_has_an_address_of_its_own(whole: LocalCloud) -> None:
    url = whole.add("webhook")
    assert url != whole.webhook_url
    assert httpx.get(f"{url}/healthz", timeout=30).is_success
    whole.stop("webhook-2")
    assert whole.exit_code("webhook-2") == 0


def test_functions_get_their_settings_and_nothing_that_would_change_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUNCTION_TARGET", "another")
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "1:real")
    spec = CloudSpec(parts=("webhook",), functions=STAND_IN, env={"LULL_QUIET_PRIVATE_S": "0.1"})
    with LocalCloud(spec).running() as cloud:
        env = httpx.get(cloud.webhook_url, timeout=30).json()
        assert env["LULL_WEBHOOK_SECRET"] == cloud.webhook_secret
        assert "LULL_BOT_TOKENS" not in env, "a function has the secrets that it has in the cloud"
    assert env["LULL_QUIET_PRIVATE_S"] == "0.1"
    assert env["LULL_AGENTS_PATH"] == str(ROOT / "agents")
    assert env["LULL_TICK_URL"] == cloud.tick_url
    assert "1:real" not in env.values()
    assert "another" not in env.values()


def test_a_part_that_cannot_start_is_named_with_the_end_of_its_log() -> None:
    cloud = LocalCloud(CloudSpec(parts=("webhook",), functions=STAND_IN, env={"BROKEN": "yes"}))
    with pytest.raises(PartFailed, match=r"(?s)webhook ended with exit code .*this function was told to break"):
        cloud.open()
    assert not cloud.folder.exists()


def test_what_is_kept_is_the_same_in_the_next_run(tmp_path: Path) -> None:
    spec = CloudSpec(data=tmp_path, parts=("telegram",))
    with LocalCloud(spec).running() as cloud:
        url, tokens, secret = cloud.telegram_url, cloud.tokens, cloud.webhook_secret
        httpx.post(f"{url}/world/people", json={"first_name": "Ann"}, timeout=30).raise_for_status()
    with LocalCloud(spec).running() as cloud:
        assert (cloud.telegram_url, cloud.tokens, cloud.webhook_secret) == (url, tokens, secret)
        assert [person["first_name"] for person in httpx.get(f"{url}/world", timeout=30).json()["people"]] == ["Ann"]


def test_nothing_is_left_when_the_owner_is_killed_outright() -> None:
    owner = subprocess.Popen([sys.executable, "-c", OWNER], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    folder, *leaders = owner.stdout.readline().split()
    everything = family_of(owner.pid)
    assert {int(pid) for pid in leaders} < set(everything)
    os.kill(owner.pid, signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    wait_until(lambda: not any(is_alive(pid) for pid in everything), 30)
    assert not Path(folder).exists()
