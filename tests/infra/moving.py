"""A deployment that was moved to another region, and what was seen on the way."""

from dataclasses import dataclass, replace

from tests.infra.workspace import Ran, Resource, Workspace

FIRST, OTHER = "europe-west1", "us-central1"


@dataclass(frozen=True)
class Moved:
    """The deployment where it is now, and what it consisted of before and after; a plan of the move without a word
    about the database, and one of nothing more to do.
    """

    workspace: Workspace
    before: list[Resource]
    refused: Ran
    after: list[Resource]
    again: Ran


def move(fresh: Workspace) -> Moved:
    """Deploy, with an archive, and deploy elsewhere."""
    here = replace(fresh, variables={**fresh.variables, "archive": True})
    here.apply()
    before = here.state()
    refused = here.run("plan", "-input=false", region=OTHER)
    there = replace(here, variables={**here.variables, "region": OTHER, "database_location": FIRST})
    # the cloud refuses a name that it has already, as Google does
    there.apply()
    after = there.state()
    again = there.run("plan", "-input=false", "-detailed-exitcode")
    return Moved(there, before, refused, after, again)
