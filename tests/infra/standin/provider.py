"""The provider: it answers Terraform's calls from the catalogue and the cloud."""

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc

from tests.infra.standin.checking import Complaint, complaints
from tests.infra.standin.cloud import Cloud, Refused
from tests.infra.standin.making import Maker
from tests.infra.standin.planning import Planner
from tests.infra.standin.protocol import CALLS, SERVICE, message, message_class
from tests.infra.standin.schema import catalogue, schema_message
from tests.infra.standin.values import UNKNOWN, Object, pack, unpack

CAPABILITIES = {"plan_destroy": False, "get_provider_schema_optional": True}


class Provider:
    """One provider; its methods are named as the protocol's calls."""

    def __init__(self) -> None:
        """Begin with an empty cloud."""
        self.catalogue = catalogue()
        self.cloud = Cloud(self.catalogue)
        #: by connection, since several Terraforms may run at once, each with its own block
        self._defaults: dict[str, Object] = {}
        self._asking = threading.local()

    def GetMetadata(self, _: Any) -> Any:
        """List the types."""
        return message(
            "Metadata",
            server_capabilities=message("ServerCapabilities", **CAPABILITIES),
            resources=[message("TypeName", type_name=kind) for kind in self.catalogue.resources],
            data_sources=[message("TypeName", type_name=kind) for kind in self.catalogue.data_sources],
        )

    def GetProviderSchema(self, _: Any) -> Any:
        """Give the schemas of the types."""
        named = {
            field: [message("NamedSchema", key=kind, value=schema_message(block)) for kind, block in blocks.items()]
            for field, blocks in (
                ("resource_schemas", self.catalogue.resources),
                ("data_source_schemas", self.catalogue.data_sources),
            )
        }
        return message(
            "Schemas",
            provider=schema_message(self.catalogue.provider),
            provider_meta=message("Schema", version=0, block=message("Block")),
            server_capabilities=message("ServerCapabilities", **CAPABILITIES),
            **named,
        )

    def ValidateProviderConfig(self, request: Any) -> Any:
        """Check the provider's own block."""
        found = complaints(self.catalogue, "provider", self.catalogue.provider, unpack(request.config))
        return message("ProviderValidated", diagnostics=_told(found))

    def ValidateResourceConfig(self, request: Any) -> Any:
        """Check the block of a resource."""
        block = self.catalogue.resources[request.type_name]
        return message(
            "Diagnostics",
            diagnostics=_told(complaints(self.catalogue, request.type_name, block, unpack(request.config))),
        )

    def ValidateDataResourceConfig(self, request: Any) -> Any:
        """Check the block of a data source."""
        block = self.catalogue.data_sources[request.type_name]
        return message(
            "Diagnostics",
            diagnostics=_told(complaints(self.catalogue, request.type_name, block, unpack(request.config))),
        )

    def answer(self, call: str, request: Any, peer: str) -> Any:
        """Answer a call of the protocol that came over a connection."""
        self._asking.peer = peer
        return getattr(self, call)(request)

    @property
    def defaults(self) -> Object:
        """The provider's own block of the connection that this request came over."""
        return self._defaults.get(self._asking.peer, {})

    def ConfigureProvider(self, request: Any) -> Any:
        """Take the provider's own block: project, region and labels are defaults for every resource."""
        config = unpack(request.config)
        given = {name: value for name, value in config.items() if value is not None and value is not UNKNOWN}
        self._defaults[self._asking.peer] = given
        return message("Diagnostics")

    def UpgradeResourceState(self, request: Any) -> Any:
        """Return the stored state unchanged, as each schema has one version."""
        return message("Upgraded", upgraded_state=message("DynamicValue", json=request.raw_state.json))

    def ReadResource(self, request: Any) -> Any:
        """Read the resource from the cloud."""
        known = unpack(request.current_state)
        return message(
            "ReadAnswer", new_state=pack(self.cloud.get(request.type_name, self._project(known), known["id"]))
        )

    def PlanResourceChange(self, request: Any) -> Any:
        """Plan a change of a resource."""
        prior, wanted = unpack(request.prior_state), unpack(request.proposed_new_state)
        if wanted is None:
            return message("Planned", planned_state=request.proposed_new_state)
        planner = Planner(self.catalogue, request.type_name, self.defaults)
        if "project" in planner.block.attributes and not self._project(wanted):
            told = _told([Complaint("project: required field is not set")])
            return message("Planned", planned_state=request.prior_state, diagnostics=told)
        replacing = [message("AttributePath", steps=[_step(name)]) for name in planner.replacing(prior, wanted)]
        # the real provider also uses the older SDK, which may plan values that are not in the configuration
        return message(
            "Planned",
            planned_state=pack(planner.plan(prior, wanted)),
            requires_replace=replacing,
            legacy_type_system=True,
        )

    def ApplyResourceChange(self, request: Any) -> Any:
        """Make, change or delete a resource."""
        prior, wanted = unpack(request.prior_state), unpack(request.planned_state)
        try:
            made = self._applied(request.type_name, prior, wanted)
        except Refused as refusal:
            told = _told([Complaint(str(refusal))])
            return message("Applied", new_state=request.prior_state, diagnostics=told, legacy_type_system=True)
        return message("Applied", new_state=pack(made), legacy_type_system=True)

    def _applied(self, kind: str, prior: Object | None, wanted: Object | None) -> Object | None:
        if wanted is None:
            if prior is not None:
                self.cloud.delete(kind, self._project(prior), prior)
            return None
        if kind == "google_storage_bucket_object" and wanted.get("source"):
            _take_file(wanted)
        siblings = self.cloud.count(kind, "secret", str(wanted.get("secret"))) if "secret" in wanted else 0
        Maker(self.catalogue, kind, wanted, self.defaults, siblings + 1).fill_unknown(
            self.catalogue.resources[kind], wanted
        )
        keep = self.cloud.create if prior is None else self.cloud.update
        keep(kind, self._project(wanted), wanted)
        return wanted

    def ImportResourceState(self, request: Any) -> Any:
        """Give only the id: Terraform reads the rest."""
        block = self.catalogue.resources[request.type_name]
        empty: Object = dict.fromkeys(block.attributes)
        empty |= {name: None if nested.nesting == "single" else [] for name, nested in block.blocks.items()}
        state = pack(empty | {"id": request.id})
        return message(
            "Imported", imported_resources=[message("ImportedResource", type_name=request.type_name, state=state)]
        )

    def ReadDataSource(self, request: Any) -> Any:
        """Read a data source."""
        config = unpack(request.config)
        maker = Maker(self.catalogue, f"data.{request.type_name}", config, self.defaults)
        for name, attribute in self.catalogue.data_sources[request.type_name].attributes.items():
            if attribute.is_computed and config.get(name) is None:
                config[name] = maker.attribute(name, attribute.type)
        return message("DataAnswer", state=pack(config))

    def GetFunctions(self, _: Any) -> Any:
        """List no functions."""
        return message("Empty")

    def StopProvider(self, _: Any) -> Any:
        """Do nothing, as no call takes long enough to be stopped."""
        return message("Empty")

    def _project(self, resource: Object) -> str:
        return str(resource.get("project") or self.defaults.get("project", ""))


def serve() -> tuple[grpc.Server, int]:
    """Start a provider; return it and its port on this machine."""
    provider = Provider()
    server = grpc.server(ThreadPoolExecutor(max_workers=2))
    handlers = {
        call: grpc.unary_unary_rpc_method_handler(
            _handler(provider, call),
            request_deserializer=message_class(takes).FromString,
            response_serializer=message_class(answers).SerializeToString,
        )
        for call, (takes, answers) in CALLS.items()
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def _handler(provider: Provider, call: str) -> Callable[[Any, grpc.ServicerContext], Any]:
    return lambda request, context: provider.answer(call, request, context.peer())


def reattach(port: int, process: int) -> str:
    """Make the value of TF_REATTACH_PROVIDERS with which Terraform uses a provider that runs already."""
    place = {"Network": "tcp", "String": f"127.0.0.1:{port}"}
    how = {"Protocol": "grpc", "ProtocolVersion": 6, "Pid": process, "Test": True, "Addr": place}
    return json.dumps({"registry.terraform.io/hashicorp/google": how})


def _told(found: Iterable[Complaint]) -> list[Any]:
    return [complaint.message() for complaint in found]


def _step(name: str) -> Any:
    return message("Step", attribute_name=name)


def _take_file(wanted: Object) -> None:
    file = Path(wanted["source"])
    if not file.is_file():
        raise Refused(f"open {file}: no such file or directory")
    digest = base64.b64encode(hashlib.md5(file.read_bytes(), usedforsecurity=False).digest()).decode()
    wanted.update({name: digest for name in ("md5hash", "detect_md5hash") if wanted.get(name) is UNKNOWN})
