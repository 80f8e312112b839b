"""A deployment that was moved to another region, with the plans made on the way."""

from dataclasses import dataclass, replace

from tests.infra.workspace import Ran, Resource, Workspace

FIRST, OTHER = "europe-west1", "us-central1"


@dataclass(frozen=True)
class Moved:
    """The moved deployment, and its resources before and after the move. It also has a plan of the move that does not
    mention the database, and a plan after the move without any change.
    """

    workspace: Workspace
    before: list[Resource]
    refused: Ran
    after: list[Resource]
    again: Ran


def move(fresh: Workspace) -> Moved:
    """Deploy with an archive, and then deploy to another region."""
    here = replace(fresh, variables={**fresh.variables, "archive": True})
    here.apply()
    before = here.state()
    refused = here.run("plan", "-input=false", region=OTHER)
    there = replace(here, variables={**here.variables, "region": OTHER, "database_location": FIRST})
    # like Google, the cloud refuses a name that exists
    there.apply()
    after = there.state()
    again = there.run("plan", "-input=false", "-detailed-exitcode")
    return Moved(there, before, refused, after, again)
