"""Requirements of every deployment of lull, checked independently of its Terraform: rights, open ports, safe data."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.infra.workspace import PROJECT, Resource

EVERYBODY = {"allUsers", "allAuthenticatedUsers"}
#: the two ways for functions to call Gemini, of which a deployment uses one; and the keys of other providers
ASKING = ("lull-describe-media", "lull-summarize", "lull-tick")
KEY_GRANTS = {f"{who}: roles/secretmanager.secretAccessor on lull-gemini-api-key" for who in ASKING}
PROVIDER_GRANTS = {f"{who}: roles/secretmanager.secretAccessor on lull-provider-keys" for who in ASKING}
VERTEX_GRANTS = {f"{who}: roles/aiplatform.user on the project" for who in ASKING}
#: the functions that everybody can call, since their callers have no Google identity
OPEN = {"lull-console", "lull-webhook"}
#: every right: its holder, role and resource, and its condition if it has one
GRANTS = KEY_GRANTS | {
    "everybody: roles/run.invoker on lull-webhook",
    "lull-webhook: lull_inbox on the project, for the database",
    "lull-webhook: roles/secretmanager.secretAccessor on lull-webhook-secret",
    "lull-webhook: roles/cloudtasks.enqueuer on lull-ticks",
    "lull-webhook: roles/iam.serviceAccountUser on lull-ticks",
    "lull-tick: roles/datastore.user on the project, for the database",
    "lull-tick: roles/secretmanager.secretAccessor on lull-bot-tokens",
    "lull-tick: roles/secretmanager.secretAccessor on lull-webhook-secret",
    "lull-tick: roles/cloudtasks.enqueuer on lull-ticks",
    "lull-tick: roles/iam.serviceAccountUser on lull-ticks",
    "lull-tick: roles/cloudtasks.enqueuer on lull-media",
    "lull-tick: roles/iam.serviceAccountUser on lull-media",
    "lull-tick: lull_media_writer on acme-lull-lull-media",
    "lull-tick: lull_takeouts_reader on acme-lull-lull-takeouts",
    "lull-describe-media: lull_describe on the project, for the database",
    "lull-describe-media: roles/secretmanager.secretAccessor on lull-bot-tokens",
    "lull-describe-media: roles/cloudtasks.enqueuer on lull-ticks",
    "lull-describe-media: roles/iam.serviceAccountUser on lull-ticks",
    "lull-describe-media: lull_media_writer on acme-lull-lull-media",
    "lull-describe-media: roles/run.invoker on lull-reader",
    "lull-media: roles/run.invoker on lull-describe-media",
    "lull-summarize: lull_sweep on the project, for the database",
    "lull-summarize: lull_media_reader on acme-lull-lull-media",
    "lull-summarize: lull_takeouts_writer on acme-lull-lull-takeouts",
    "lull-summarize: roles/cloudtasks.enqueuer on lull-ticks",
    "lull-summarize: roles/iam.serviceAccountUser on lull-ticks",
    "lull-summarize: roles/cloudtasks.enqueuer on lull-media",
    "lull-summarize: roles/iam.serviceAccountUser on lull-media",
    "lull-summarize: roles/cloudtasks.enqueuer on lull-background",
    "lull-summarize: roles/iam.serviceAccountUser on lull-background",
    "lull-tick: roles/cloudtasks.enqueuer on lull-background",
    "lull-tick: roles/iam.serviceAccountUser on lull-background",
    "lull-background: roles/run.invoker on lull-summarize",
    "lull-ticks: roles/run.invoker on lull-tick",
    "lull-tick: roles/run.invoker on lull-reader",
    "lull-erase: roles/datastore.user on the project, for the database",
    "lull-erase: roles/cloudtasks.enqueuer on lull-ticks",
    "lull-erase: roles/iam.serviceAccountUser on lull-ticks",
    "lull-erase: roles/cloudtasks.enqueuer on lull-background",
    "lull-erase: roles/iam.serviceAccountUser on lull-background",
    "lull-erase: lull_media_eraser on acme-lull-lull-media",
    "lull-erase: lull_erasures on acme-lull-lull-erasures",
    "lull-erase: lull_takeouts_eraser on acme-lull-lull-takeouts",
    "lull-background: roles/run.invoker on lull-erase",
    "lull-maintain: lull_canary on the project, for the database",
    "lull-maintain: roles/secretmanager.secretAccessor on lull-bot-tokens",
    "lull-maintain: roles/secretmanager.secretAccessor on lull-webhook-secret",
    "lull-maintain: roles/run.invoker on lull-describe-media",
    "lull-maintain: roles/run.invoker on lull-erase",
    "lull-maintain: roles/run.invoker on lull-summarize",
    "lull-maintain: roles/run.invoker on lull-tick",
    "lull-clock-maintain: roles/run.invoker on lull-maintain",
    "lull-clock-summarize: roles/run.invoker on lull-summarize",
    "everybody: roles/run.invoker on lull-console",
    "lull-console: roles/datastore.user on the project, for the database",
    "lull-console: roles/secretmanager.secretAccessor on lull-console-secret",
    "lull-console: roles/cloudtasks.enqueuer on lull-ticks",
    "lull-console: roles/iam.serviceAccountUser on lull-ticks",
    "lull-console: roles/cloudtasks.enqueuer on lull-media",
    "lull-console: roles/iam.serviceAccountUser on lull-media",
    "lull-console: roles/cloudtasks.enqueuer on lull-background",
    "lull-console: roles/iam.serviceAccountUser on lull-background",
    "lull-console: lull_media_writer on acme-lull-lull-media",
    "lull-console: roles/run.invoker on lull-summarize",
    "lull-console: roles/run.invoker on lull-tick",
    "lull-build: roles/artifactregistry.writer on lull-functions",
    "lull-build: roles/logging.logWriter on the project",
    "lull-build: roles/storage.objectViewer on acme-lull-lull-sources",
    "lull-build: roles/storage.objectViewer on the project, for the copies of bundles",
}
#: with an archive: no function can read archived data, and only the erasing function can list them
ARCHIVE_GRANTS = {
    "lull-summarize: lull_archive on acme-lull-lull-archive",
    "lull-erase: lull_archive_erase on acme-lull-lull-archive",
}
#: with a bot for Telegram's login page in an ordinary browser
LOGIN_GRANTS = {"lull-console: roles/secretmanager.secretAccessor on lull-console-login"}
PERMISSIONS = {
    "lull_archive": {"storage.objects.create", "storage.objects.delete"},
    "lull_archive_erase": {"storage.objects.create", "storage.objects.delete", "storage.objects.list"},
    "lull_canary": {"datastore.entities.create", "datastore.entities.get", "datastore.entities.update"},
    "lull_describe": {
        "datastore.entities.create",
        "datastore.entities.get",
        "datastore.entities.list",
        "datastore.entities.update",
    },
    "lull_media_eraser": {"storage.objects.delete"},
    "lull_media_reader": {"storage.objects.get"},
    "lull_media_writer": {"storage.objects.create", "storage.objects.get"},
    "lull_erasures": {"storage.objects.create", "storage.objects.delete"},
    "lull_takeouts_eraser": {"storage.objects.delete", "storage.objects.list"},
    "lull_takeouts_reader": {"storage.objects.get"},
    "lull_takeouts_writer": {"storage.objects.create", "storage.objects.delete", "storage.objects.list"},
    "lull_inbox": {"datastore.entities.create", "datastore.entities.get"},
    "lull_sweep": {
        "datastore.entities.create",
        "datastore.entities.get",
        "datastore.entities.list",
        "datastore.entities.update",
    },
}
#: the collections whose documents expire
EXPIRING = {
    "accounts", "console_records", "entities", "events", "exchanges", "inbox", "incidents", "lookups", "notices",
    "past", "requests", "screen", "takeouts", "usage",
}  # fmt: skip
CONDITIONS = {
    f'resource.name == "projects/{PROJECT}/databases/(default)"': "the database",
    'resource.name.startsWith("projects/_/buckets/gcf-v2-sources-")': "the copies of bundles",
}
#: seconds after which Cloud Tasks considers a tick lost
TASK_DEADLINE = 600


def wanted_grants(
    *,
    has_archive: bool = False,
    has_key: bool = True,
    has_vertex_ai: bool = False,
    has_providers: bool = False,
    has_login: bool = False,
) -> set[str]:
    """List all rights that a deployment of this kind gives."""
    others = {
        frozenset(KEY_GRANTS): has_key,
        frozenset(VERTEX_GRANTS): has_vertex_ai,
        frozenset(PROVIDER_GRANTS): has_providers,
        frozenset(ARCHIVE_GRANTS): has_archive,
        frozenset(LOGIN_GRANTS): has_login,
    }
    return (GRANTS - KEY_GRANTS).union(*(given for given, has in others.items() if has))


def grants(resources: Sequence[Resource]) -> set[str]:
    """Say each right of the deployment in a sentence."""
    return {_grant(r.values) for r in resources if r.type.endswith("_iam_member")}


def _grant(values: Any) -> str:
    who = values["member"]
    account = "everybody" if who in EVERYBODY else who.removeprefix("serviceAccount:").split("@")[0]
    names = ("service_account_id", "secret_id", "repository", "bucket", "name")
    place = next((values[name] for name in names if values.get(name)), "the project")
    role = re.sub(r"^projects/[^/]+/roles/", "", values["role"])
    condition = values.get("condition") or []
    clause = f", for {CONDITIONS.get(condition[0]['expression'], condition[0]['expression'])}" if condition else ""
    sentence = f"{account}: {role} on {place.split('/')[-1].split('@')[0]}{clause}"
    return re.sub(r"[-_][0-9a-f]{6}\b", "", sentence)  # the suffix of a deployment


def findings(resources: Sequence[Resource]) -> list[str]:
    """List all requirements that a deployment does not meet."""
    return [sentence for rule in RULES for sentence in rule(resources)]


def _of(resources: Sequence[Resource], kind: str) -> Iterator[Resource]:
    return (r for r in resources if r.type == f"google_{kind}")


def _rights(resources: Sequence[Resource]) -> Iterator[str]:
    given = grants(resources)
    has_archive = any(bucket.values["name"].endswith("-archive") for bucket in _of(resources, "storage_bucket"))
    secrets = {r.values["secret_id"] for r in _of(resources, "secret_manager_secret")}
    wanted = wanted_grants(
        has_archive=has_archive,
        has_key="lull-gemini-api-key" in secrets,
        has_vertex_ai=any(
            r.values["service"] == "aiplatform.googleapis.com" for r in _of(resources, "project_service")
        ),
        has_providers="lull-provider-keys" in secrets,
        has_login="lull-console-login" in secrets,
    )
    yield from (f"a right is missing: {grant}" for grant in sorted(wanted - given))
    yield from (f"a right too many: {grant}" for grant in sorted(given - wanted))
    for role in _of(resources, "project_iam_custom_role"):
        name = re.sub(r"_[0-9a-f]{6}$", "", role.values["role_id"])
        if set(role.values["permissions"]) != PERMISSIONS.get(name):
            yield f"the permissions of {name} are {sorted(role.values['permissions'])}"


def _openness(resources: Sequence[Resource]) -> Iterator[str]:
    for r in resources:
        if r.values.get("member") in EVERYBODY and r.values.get("name") not in OPEN:
            yield f"{r.address} is open to everybody"
    for bucket in _of(resources, "storage_bucket"):
        if bucket.values["public_access_prevention"] != "enforced":
            yield f"{bucket.address} may be made public"
        if not bucket.values["uniform_bucket_level_access"]:
            yield f"{bucket.address} has rights for single files"


def _functions(resources: Sequence[Resource]) -> Iterator[str]:
    invoked = {r.values["name"] for r in _of(resources, "cloud_run_v2_service_iam_member")}
    accounts = [
        f.values["service_config"][0]["service_account_email"] for f in _of(resources, "cloudfunctions2_function")
    ]
    if len(set(accounts)) != len(accounts):
        yield f"functions share an account: {accounts}"
    for function in _of(resources, "cloudfunctions2_function"):
        name, service, build = function.values["name"], *_parts(function)
        if name not in invoked:
            yield f"nobody may call {name}"
        if service["available_cpu"] != "1" or service["max_instance_request_concurrency"] < 2:
            yield f"{name} serves one request at a time"
        if service["timeout_seconds"] >= TASK_DEADLINE:
            yield f"{name} may run longer than its caller waits"
        if not re.search(r"-[0-9a-f]{64}\.zip$", build["source"][0]["storage_source"][0]["object"]):
            yield f"{name}'s bundle does not carry its hash"
        if not build.get("service_account"):
            yield f"{name} is built by the default account"


def _logs(resources: Sequence[Resource]) -> Iterator[str]:
    for function in _of(resources, "cloudfunctions2_function"):
        if _parts(function)[0]["environment_variables"].get("LOG_EXECUTION_ID") != "false":
            yield f"{function.values['name']} logs in the framework's way"


def _parts(function: Resource) -> tuple[Any, Any]:
    return function.values["service_config"][0], function.values["build_config"][0]


def _schedules(resources: Sequence[Resource]) -> Iterator[str]:
    limits = {
        f"https://{f.values['location']}-{PROJECT}.cloudfunctions.net/{f.values['name']}": _parts(f)[0][
            "timeout_seconds"
        ]
        for f in _of(resources, "cloudfunctions2_function")
    }
    for job in _of(resources, "cloud_scheduler_job"):
        target, name = job.values["http_target"][0], job.values["name"]
        if target["uri"] not in limits:
            yield f"{name} calls {target['uri']}, which is no function"
        elif limits[target["uri"]] >= float(job.values["attempt_deadline"].removesuffix("s")):
            yield f"{name} waits less long than the function may run"
        if not target["oidc_token"] or target["oidc_token"][0]["audience"] != target["uri"]:
            yield f"{name} calls without a token for the function"


def _media(resources: Sequence[Resource]) -> Iterator[str]:
    """Check that media and exports expire, and that no copy remains."""
    for what in ("media", "takeouts"):
        buckets = [b.values for b in _of(resources, "storage_bucket") if b.values["name"].endswith(f"-{what}")]
        if len(buckets) != 1:
            yield f"there are {len(buckets)} buckets of {what}"
        for bucket in buckets:
            rules = [(r["action"][0]["type"], r["condition"][0]["age"]) for r in bucket["lifecycle_rule"]]
            if not any(action == "Delete" and age for action, age in rules):
                yield f"{what} are kept for ever"
            if bucket["versioning"][0]["enabled"] or bucket["soft_delete_policy"][0]["retention_duration_seconds"]:
                yield f"{what} that were deleted are kept"


def _data(resources: Sequence[Resource]) -> Iterator[str]:
    (database,) = _of(resources, "firestore_database")
    wanted = {
        "type": "FIRESTORE_NATIVE",
        "delete_protection_state": "DELETE_PROTECTION_ENABLED",
        "point_in_time_recovery_enablement": "POINT_IN_TIME_RECOVERY_ENABLED",
        "deletion_policy": "ABANDON",
    }
    yield from (f"the database has {k} {database.values[k]}" for k, v in wanted.items() if database.values[k] != v)
    recurrences = {
        k for s in _of(resources, "firestore_backup_schedule") for k in s.values if s.values[k] and "recur" in k
    }
    if recurrences != {"daily_recurrence", "weekly_recurrence"}:
        yield f"backups are made by {sorted(recurrences)}"
    expiring = {f.values["collection"] for f in _of(resources, "firestore_field") if f.values["ttl_config"]}
    if expiring != EXPIRING:
        yield f"what expires is {sorted(expiring)}"


def _secrets(resources: Sequence[Resource]) -> Iterator[str]:
    for version in _of(resources, "secret_manager_secret_version"):
        if version.values["secret_data"] or version.values["secret_data_wo"]:
            yield f"{version.address} has its value in the state"
    for function in _of(resources, "cloudfunctions2_function"):
        for secret in _parts(function)[0]["secret_environment_variables"]:
            if not re.fullmatch(r"\d+", secret.get("version", "1")):  # the version of a new secret is not known yet
                yield f"{function.values['name']} reads {secret['key']} at {secret.get('version')}, not at a number"


def _labels(resources: Sequence[Resource]) -> Iterator[str]:
    for r in resources:
        labels = r.values.get("effective_labels", r.values.get("user_labels"))
        if labels is not None and not {"app", "environment", "managed_by"} <= labels.keys():
            yield f"{r.address} has no labels"


def _queues(resources: Sequence[Resource]) -> Iterator[str]:
    names = [q.values["name"] for q in _of(resources, "cloud_tasks_queue")]
    yield from (f"the name {name} cannot be used again" for name in names if not re.search(r"-[0-9a-f]{6}$", name))
    if len(names) != 3:
        yield f"the queues are {names}"


RULES: tuple[Callable[[Sequence[Resource]], Iterator[str]], ...] = (
    _rights,
    _openness,
    _functions,
    _logs,
    _schedules,
    _data,
    _media,
    _secrets,
    _labels,
    _queues,
)
