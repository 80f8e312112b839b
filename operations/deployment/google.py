"""Checks a Google Cloud project before a deployment. Each error names the command that fixes it."""

import json
import os
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import google.auth
from google.auth.credentials import Credentials
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError, TransportError
from google.auth.transport.requests import AuthorizedSession, Request
from requests import RequestException

from operations.deployment.options import CannotDeploy
from operations.deployment.permissions import ON_BILLING_ACCOUNT, PROJECT_PERMISSIONS
from shared.chat.store import paths

SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)
TIMEOUT_S = 30
#: APIs that are used before Terraform runs, or by Terraform to enable other APIs
NEEDED_APIS = (
    "cloudbilling.googleapis.com",
    "cloudresourcemanager.googleapis.com",
    "serviceusage.googleapis.com",
)
LOGIN = "gcloud auth application-default login"


def logged_in(env: Mapping[str, str]) -> Credentials:
    """Return Google credentials, the same ones that Terraform will use. Raises CannotDeploy."""
    try:
        credentials, _ = google.auth.default(scopes=SCOPES)
    except DefaultCredentialsError:
        if file := env.get("GOOGLE_APPLICATION_CREDENTIALS"):
            raise CannotDeploy(
                f"GOOGLE_APPLICATION_CREDENTIALS is set to {file}, which does not exist or contains no valid "
                f"credentials. Set it to a valid file, or `unset GOOGLE_APPLICATION_CREDENTIALS` and run `{LOGIN}`."
            ) from None
        missing = shutil.which("gcloud", path=env.get("PATH", os.defpath)) is None
        first = "install the gcloud command (https://cloud.google.com/sdk/docs/install), then run" if missing else "run"
        raise CannotDeploy(f"You are not logged in to Google Cloud: {first} `{LOGIN}`.") from None
    return credentials


def check_login(env: Mapping[str, str]) -> None:
    """Check that the login exists and is valid, since Terraform's own message is unclear. Raises CannotDeploy."""
    credentials = logged_in(env)
    with _translate_errors():
        credentials.refresh(Request())  # type: ignore[no-untyped-call]


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except (RequestException, TransportError) as cause:
        raise CannotDeploy(
            f"Google cannot be reached ({type(cause).__name__}). Check the network and try again."
        ) from cause
    except GoogleAuthError as cause:
        raise CannotDeploy(f"Your login to Google Cloud has expired: run `{LOGIN}`.") from cause


@dataclass(frozen=True)
class GoogleProject:
    """A Google Cloud project, which is read through Google's APIs. `apis` is the pattern of the APIs' addresses, in
    which `{api}` stands for an API's name.
    """

    id: str
    credentials: Credentials = field(repr=False)
    apis: str

    def check_apis(self) -> None:
        """Check that the APIs in NEEDED_APIS are enabled; Terraform enables all others. Raises CannotDeploy."""
        names = [("names", f"projects/{self.id}/services/{name}") for name in NEEDED_APIS]
        found = self._get("serviceusage", f"/v1/projects/{self.id}/services:batchGet", names)
        states = {str(one["name"]).rpartition("/")[2]: one.get("state") for one in found.get("services", [])}
        missing = [name for name in NEEDED_APIS if states.get(name) != "ENABLED"]
        if missing:
            raise CannotDeploy(_enable(self.id, missing))

    def check_project(self) -> None:
        """Check that the project exists and the login has the permissions to deploy. Raises CannotDeploy."""
        found = self._get("cloudresourcemanager", f"/v3/projects/{self.id}")
        if found.get("state") != "ACTIVE":
            state = found.get("state", "unknown")
            raise CannotDeploy(
                f"The project {self.id} is {state}. To restore it, run `gcloud projects undelete {self.id}`."
            )
        path = f"/v3/projects/{self.id}:testIamPermissions"
        lacking = self._lacking("cloudresourcemanager", path, PROJECT_PERMISSIONS)
        if lacking:
            raise CannotDeploy(
                f"The logged-in account lacks permissions in {self.id} ({', '.join(lacking)}): have an owner run "
                f"`gcloud projects add-iam-policy-binding {self.id} --member=user:YOUR-ADDRESS --role=roles/owner`."
            )

    def check_billing(self) -> None:
        """Check that billing is enabled. Without billing, no function can be built. Raises CannotDeploy."""
        if not self._get("cloudbilling", f"/v1/projects/{self.id}/billingInfo").get("billingEnabled"):
            raise CannotDeploy(
                f"Billing is not enabled for the project {self.id}. `gcloud billing accounts list` lists your "
                f"accounts. Link one with `gcloud billing projects link {self.id} --billing-account=ACCOUNT`."
            )

    def check_budget(self, account: str | None) -> None:
        """Check that the login may create a budget for this billing account, if one is given. Raises CannotDeploy."""
        if account is None:
            return
        path, wanted = f"/v1/billingAccounts/{account}:testIamPermissions", list(ON_BILLING_ACCOUNT.values())
        if self._lacking("cloudbilling", path, wanted):
            raise CannotDeploy(
                f"The logged-in account may not create a budget for the billing account {account} "
                f"({', '.join(wanted)}): have its administrator run `gcloud billing accounts add-iam-policy-binding "
                f"{account} --member=user:YOUR-ADDRESS --role=roles/billing.costsManager`, or remove billing_account "
                "from terraform.tfvars."
            )

    def database_location(self) -> str | None:
        """Return the location of the default Firestore database, or None if there is none. Raises CannotDeploy."""
        # without the Firestore API there is no database
        status, found = self._ask("GET", "firestore", f"/v1/projects/{self.id}/databases/(default)")
        return str(found["locationId"]) if status == 200 else None

    def database_uid(self) -> str | None:
        """Return the uid of the default Firestore database, or None if there is no database. Backups can be found by
        this uid even after the database was deleted.

        Raises CannotDeploy.
        """
        status, found = self._ask("GET", "firestore", f"/v1/projects/{self.id}/databases/(default)")
        return str(found["uid"]) if status == 200 else None

    def backups(self) -> dict[str, str] | None:
        """Return all Firestore backups of the project: a dict that maps a backup's name to the uid of the backed-up
        database. None if the list is not complete.

        Raises CannotDeploy.
        """
        status, found = self._ask("GET", "firestore", f"/v1/projects/{self.id}/locations/-/backups")
        if status != 200 or found.get("unreachable"):
            return None
        return {str(backup["name"]): str(backup["databaseUid"]) for backup in found.get("backups", [])}

    def delete_backup(self, name: str) -> bool:
        """Delete a backup. Return True if the backup is deleted or did not exist. Raises CannotDeploy."""
        status, _ = self._ask("DELETE", "firestore", f"/v1/{name}")
        return status in (200, 404)

    def bucket_location(self, name: str) -> str | None:
        """Return a bucket's location in upper case. None if the bucket does not exist or is not visible. Raises
        CannotDeploy.
        """
        status, found = self._ask("GET", "storage", f"/storage/v1/b/{name}")
        return str(found["location"]) if status == 200 else None

    def lacks_model(self, location: str, model: str) -> bool:
        """Return whether Vertex AI reports that a model does not exist in a location. False if Vertex AI gives any
        other answer, for example because its API is not enabled yet.

        The check counts tokens, which is free. Raises CannotDeploy.
        """
        path = model if "/" in model else f"publishers/google/models/{model}"
        asked = {"contents": [{"role": "user", "parts": [{"text": "lull"}]}]}
        full = f"/v1beta1/projects/{self.id}/locations/{location}/{path}:countTokens"
        status, found = self._ask("POST", vertex_api(location), full, json=asked)
        return status == 404 and found.get("error", {}).get("status") == "NOT_FOUND"

    def has_owner(self, agent: str) -> bool:
        """Return whether an agent has an owner. False if the database cannot be read. Raises CannotDeploy."""
        path = f"/v1/projects/{self.id}/databases/(default)/documents/{paths.bot_path(agent)}"
        _, found = self._ask("GET", "firestore", path)
        return "owner" in found.get("fields", {})

    def run_job(self, name: str) -> bool:
        """Start a scheduled job, given by its full name; return whether it started. Raises CannotDeploy."""
        status, _ = self._ask("POST", "cloudscheduler", f"/v1/{name}:run", json={})
        return status == 200

    def canary_report(self) -> dict[str, Any] | None:
        """Return the last canary's report (shared/values/canary.py). Empty if no canary has run, None if Firestore
        cannot be read.

        Raises CannotDeploy.
        """
        path = f"/v1/projects/{self.id}/databases/(default)/documents/{paths.CANARY_REPORT}"
        status, found = self._ask("GET", "firestore", path)
        if status not in (200, 404):
            return None
        return dict(json.loads(found.get("fields", {}).get("report", {}).get("stringValue") or "{}"))

    def policy(self, constraint: str) -> Mapping[str, Any] | None:
        """Return the organisation's policy for one constraint, as it applies to the project. None if the login may not
        read the policy. Raises CannotDeploy.
        """
        path, asked = f"/v1/projects/{self.id}:getEffectiveOrgPolicy", {"constraint": f"constraints/{constraint}"}
        status, found = self._ask("POST", "cloudresourcemanager", path, json=asked)
        return found if status == 200 else None

    def _lacking(self, api: str, path: str, wanted: Collection[str]) -> list[str]:
        """Return the permissions of `wanted` that the login lacks.

        Google answers 400 if one of the names is invalid for the resource. The permissions are then checked one by one,
        and an invalid name counts as granted. Raises CannotDeploy.
        """
        status, found = self._ask("POST", api, path, json={"permissions": list(wanted)})
        if status == 400 and len(wanted) == 1:
            return []
        if status == 400:
            return [name for one in wanted for name in self._lacking(api, path, [one])]
        if status != 200 and api == "cloudbilling":
            return list(wanted)
        held = self._must(api, status, found).get("permissions", [])
        return [name for name in wanted if name not in held]

    def _get(self, api: str, path: str, params: Collection[tuple[str, str]] = ()) -> dict[str, Any]:
        return self._must(api, *self._ask("GET", api, path, params=list(params)))

    def _ask(self, method: str, api: str, path: str, **more: Any) -> tuple[int, dict[str, Any]]:
        credentials = self.credentials
        if hasattr(credentials, "with_quota_project"):  # the login of a person has no project
            credentials = credentials.with_quota_project(self.id)
        url = self.apis.format(api=api) + path
        with _translate_errors(), AuthorizedSession(credentials) as session:  # type: ignore[no-untyped-call]
            answer = session.request(method, url, timeout=TIMEOUT_S, **more)  # type: ignore[no-untyped-call]
            try:
                said = answer.json()
            except ValueError:  # the response is a page of a proxy or of Google's front end
                said = {}
            return answer.status_code, said if isinstance(said, dict) else {}

    def _must(self, api: str, status: int, answer: Mapping[str, Any]) -> dict[str, Any]:
        if status == 200:
            return dict(answer)
        error = answer.get("error", {})
        reasons = {detail.get("reason") for detail in error.get("details", [])}
        if "SERVICE_DISABLED" in reasons:
            raise CannotDeploy(_enable(self.id, NEEDED_APIS))
        if status in (403, 404):
            raise CannotDeploy(
                f"The project {self.id} does not exist, or the logged-in account has no access to it. "
                f"`gcloud projects list` lists your projects, `gcloud projects create {self.id}` creates this one, and "
                f"`{LOGIN}` changes the account."
            )
        raise CannotDeploy(f"Google's {api} answered {status} ({error.get('status', 'no reason')}); try again.")


def vertex_api(location: str) -> str:
    """Return the host name of Vertex AI's API in a location, without `.googleapis.com`."""
    if location == "global":
        return "aiplatform"
    return f"aiplatform.{location}.rep" if location in ("eu", "us") else f"{location}-aiplatform"


def _enable(project: str, names: Collection[str]) -> str:
    return (
        f"Required services of Google Cloud are not enabled in {project}. To enable them, run "
        f"`gcloud services enable {' '.join(names)} --project={project}`."
    )
