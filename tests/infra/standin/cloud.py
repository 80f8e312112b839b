"""The cloud: its resources, in memory while the provider runs."""

from dataclasses import dataclass, field
from threading import Lock
from typing import TypeAlias

from tests.infra.standin.schema import Catalogue
from tests.infra.standin.values import Object

#: a resource's type and its id
Place: TypeAlias = tuple[str, str]


class Refused(Exception):
    """The cloud refuses a call; the text is that of its API."""


@dataclass
class Cloud:
    """Resources by type and id. Projects share none, as their names are in the ids or beside them."""

    catalogue: Catalogue
    resources: dict[Place, Object] = field(default_factory=dict)
    taken: set[Place] = field(default_factory=set)
    #: every resource that was ever made, with its type
    made: list[tuple[str, Object]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def get(self, kind: str, project: str, resource_id: str) -> Object | None:
        """Return a resource, or None."""
        return self.resources.get(_place(kind, project, resource_id))

    def count(self, kind: str, argument: str, value: str) -> int:
        """Count the resources of a type that were made with this value of an argument; deleted ones count too."""
        return sum(made == kind and resource.get(argument) == value for made, resource in list(self.made))

    def create(self, kind: str, project: str, resource: Object) -> None:
        """Keep a new resource. Raises ChannelRefused when it exists already, or its parent is missing."""
        place = _place(kind, project, str(resource["id"]))
        with self.lock:
            if place in self.resources and kind not in self.catalogue.facts["set_in_place"]:
                raise Refused(f"Error 409: {resource['id']} already exists")
            if place in self.taken:
                raise Refused(f"Error 400: {resource['id']} was deleted lately; its name cannot be used yet")
            self._check_parents(kind, resource)
            self.resources[place] = resource
            self.made.append((kind, resource))

    def update(self, kind: str, project: str, resource: Object) -> None:
        """Replace the stored state of a resource."""
        with self.lock:
            self.resources[_place(kind, project, str(resource["id"]))] = resource

    def delete(self, kind: str, project: str, resource: Object) -> None:
        """Delete a resource, unless its deletion policy keeps it. Raises ChannelRefused for a protected one."""
        policy = resource.get("deletion_policy")
        if policy == "ABANDON":
            return
        if policy == "PREVENT" or resource.get("delete_protection_state") == "DELETE_PROTECTION_ENABLED":
            raise Refused(f"Error 400: {resource['id']} is protected from deletion")
        place = _place(kind, project, str(resource["id"]))
        with self.lock:
            self.resources.pop(place, None)
            if kind in self.catalogue.facts["name_stays_taken"]:
                self.taken.add(place)

    def _check_parents(self, kind: str, resource: Object) -> None:
        for argument, above in self.catalogue.fact("lives_below", kind, {}).items():
            wanted = resource.get(argument)
            names = ("id", "name", "secret_id", "repository_id")
            if not any(place[0] == above and wanted in map(r.get, names) for place, r in self.resources.items()):
                raise Refused(f"Error 404: there is no {above.removeprefix('google_')} {wanted}")


def _place(kind: str, project: str, resource_id: str) -> Place:
    return kind, resource_id if project in resource_id else f"{project}/{resource_id}"
