"""A small server with the parts of Google's APIs and of Gemini that deploying uses."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from operations.deployment.google import NEEDED_APIS
from operations.deployment.permissions import ON_BILLING_ACCOUNT, PROJECT_PERMISSIONS

GOOD_KEY = "a-key-that-gemini-takes"


#: one step of a canary
SEEN = {"agent": "lull", "step": "queue and tick", "is_well": True, "said": "a tick read the canary", "ms": 900}


@dataclass
class GoogleApis:
    """The state of the project, and the requests that were made."""

    url: str = ""
    project: str = field(default_factory=lambda: f"p-{os.urandom(6).hex()}")
    enabled: set[str] = field(default_factory=lambda: set(NEEDED_APIS))
    allowed: set[str] = field(default_factory=lambda: {*PROJECT_PERMISSIONS, *ON_BILLING_ACCOUNT.values()})
    #: permissions that Google calls invalid for this resource
    invalid: set[str] = field(default_factory=set)
    #: constraint → the policy in force; none: policies may not be read
    policies: dict[str, Any] | None = field(default_factory=dict)
    #: the steps that a canary reports; none: it never returns
    canary: dict[str, Any] | None = field(default_factory=lambda: {"is_well": True, "steps": [dict(SEEN)]})
    canaries: list[dict[str, Any]] = field(default_factory=list)
    state: str = "ACTIVE"
    is_paid: bool = True
    database: str = ""
    #: name → location
    buckets: dict[str, str] = field(default_factory=dict)
    database_uid: str = "5b2f-the-database"
    #: name → resource
    backups: dict[str, dict[str, str]] = field(default_factory=dict)
    #: locations whose backups cannot be listed now
    unreachable: list[str] = field(default_factory=list)
    #: agent → the id of its owner
    owners: dict[str, int] = field(default_factory=dict)
    #: location → models that Vertex AI lacks there, where it is switched on
    lacking: dict[str, set[str]] = field(default_factory=dict)
    is_login_good: bool = True
    #: the number of next requests about the canary that Firestore does not answer
    silent: int = 0
    asked: list[str] = field(default_factory=list)
    billed_to: set[str] = field(default_factory=set)

    @property
    def apis(self) -> str:
        """Return the address for LULL_GOOGLE_APIS."""
        return f"{self.url}/{{api}}"

    def backed_up(self, name: str, uid: str, location: str = "europe-west1", state: str = "READY") -> None:
        """Add a backup of a database."""
        full = f"projects/{self.project}/locations/{location}/backups/{name}"
        database = f"projects/{self.project}/databases/(default)"
        self.backups[full] = {"name": full, "database": database, "databaseUid": uid, "state": state}

    def answer(self, path: str, query: dict[str, list[str]], body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return the status and the body."""
        api, _, rest = path.lstrip("/").partition("/")
        if api == "token":
            token = {"access_token": "an-access-token", "expires_in": 3600, "token_type": "Bearer"}
            return (200, token) if self.is_login_good else (400, {"error": "invalid_grant"})
        if rest == "models":
            return (200, {"models": []}) if body["key"] == GOOD_KEY else _error(400, "INVALID_ARGUMENT")
        if api == "storage":
            location = self.buckets.get(rest.rpartition("/")[2])
            return (200, {"kind": "storage#bucket", "location": location}) if location else _error(404, "NOT_FOUND")
        if "/billingAccounts/" in rest:
            return self._permitted(body)
        if f"projects/{self.project}" not in rest:
            return _error(403, "PERMISSION_DENIED")
        if api.endswith("aiplatform") and self.lacking:
            return self._counted(rest)
        if (
            api not in ("firestore", "cloudscheduler")
            and f"{api}.googleapis.com" not in self.enabled
            and api != "serviceusage"
        ):
            return _error(403, "PERMISSION_DENIED", "SERVICE_DISABLED")
        ways = {
            "serviceusage": self._services,
            "cloudresourcemanager": self._project,
            "cloudbilling": self._billing,
            "firestore": self._database,
            "cloudscheduler": self._scheduler,
        }
        return ways[api](rest, {**query, **body})

    def _counted(self, path: str) -> tuple[int, dict[str, Any]]:
        """Return the number of tokens of a text if the model exists."""
        location, model = path.split("/locations/")[1].split("/publishers/google/models/")
        is_there = model.removesuffix(":countTokens") not in self.lacking.get(location.strip("/"), set())
        return (200, {"totalTokens": 1}) if is_there else _error(404, "NOT_FOUND")

    def _services(self, path: str, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if "serviceusage.googleapis.com" not in self.enabled:
            return _error(403, "PERMISSION_DENIED", "SERVICE_DISABLED")
        states = {name: "ENABLED" if name.rpartition("/")[2] in self.enabled else "DISABLED" for name in asked["names"]}
        return 200, {"services": [{"name": name, "state": state} for name, state in states.items()]}

    def _project(self, path: str, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if path.endswith(":testIamPermissions"):
            return self._permitted(asked)
        if path.endswith(":getEffectiveOrgPolicy"):
            return self._policy(str(asked["constraint"]))
        return 200, {"name": "projects/1", "projectId": self.project, "state": self.state}

    def _policy(self, constraint: str) -> tuple[int, dict[str, Any]]:
        if self.policies is None:
            return _error(403, "PERMISSION_DENIED")
        return 200, {"constraint": constraint, **self.policies.get(constraint, {"listPolicy": {"allValues": "ALLOW"}})}

    def _scheduler(self, path: str, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if not path.endswith("-canary:run"):
            return _error(404, "NOT_FOUND")
        if self.canary is not None:
            self.canaries.append({"at": str(len(self.canaries)), **self.canary})
        return 200, {}

    def _permitted(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if self.invalid & set(asked["permissions"]):
            return _error(400, "INVALID_ARGUMENT")
        return 200, {"permissions": [name for name in asked["permissions"] if name in self.allowed]}

    def _billing(self, path: str, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return 200, {"billingEnabled": True} if self.is_paid else {}

    def _database(self, path: str, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if "/backups" in path:
            return self._backups(path.removeprefix("v1/"), str(asked["method"]))
        if path.endswith("/documents/canaries/last") and self.silent:
            self.silent -= 1
            return _error(503, "UNAVAILABLE")
        if path.endswith("/documents/canaries/last") and self.canaries:
            return 200, {"fields": {"report": {"stringValue": json.dumps(self.canaries[-1])}}}
        if "/documents/bots/" in path:
            owner = self.owners.get(path.rpartition("/")[2])
            fields = {"owner": {"integerValue": str(owner)}}
            return (200, {"name": path, "fields": fields}) if owner else _error(404, "NOT_FOUND")
        if not self.database:
            return _error(404, "NOT_FOUND")
        return 200, {"name": path, "locationId": self.database, "uid": self.database_uid}

    def _backups(self, name: str, method: str) -> tuple[int, dict[str, Any]]:
        if method == "GET" and name == f"projects/{self.project}/locations/-/backups":
            return 200, {"backups": list(self.backups.values()), "unreachable": self.unreachable}
        if method != "DELETE" or name not in self.backups:
            return _error(404, "NOT_FOUND")
        if self.backups[name]["state"] == "CREATING":
            return _error(400, "FAILED_PRECONDITION")
        del self.backups[name]
        return 200, {}


def _error(code: int, status: str, reason: str = "") -> tuple[int, dict[str, Any]]:
    kind = "type.googleapis.com/google.rpc.ErrorInfo"
    details = [{"@type": kind, "reason": reason}] if reason else []
    return code, {"error": {"code": code, "status": status, "message": "no", "details": details}}


@contextmanager
def google_apis() -> Iterator[GoogleApis]:
    """Start such a server on a free port."""
    found = GoogleApis()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.respond({"key": self.headers.get("x-goog-api-key"), "method": "GET"})

        def do_DELETE(self) -> None:
            self.respond({"method": "DELETE"})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            is_json = "json" in self.headers.get("Content-Type", "")
            self.respond(json.loads(body) if is_json else {})

        def respond(self, body: dict[str, Any]) -> None:
            parts = urlsplit(self.path)
            found.asked.append(parts.path)
            found.billed_to.add(self.headers.get("x-goog-user-project", ""))
            status, answer = found.answer(parts.path, parse_qs(parts.query), body)
            payload = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *args: Any) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found.url = f"http://127.0.0.1:{server.server_port}"
        # the default poll for the end is half a second
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()


def write_login(folder: Path, apis: GoogleApis) -> Path:
    """Write a service account's key whose tokens this server issues."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    account = {
        "type": "service_account",
        "project_id": apis.project,
        "private_key_id": "1",
        "private_key": key.private_bytes(*form).decode(),
        "client_email": f"deployer@{apis.project}.iam.gserviceaccount.com",
        "client_id": "1",
        "token_uri": f"{apis.url}/token",
    }
    file = folder / "login.json"
    file.write_text(json.dumps(account))
    return file
