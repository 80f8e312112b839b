"""The web login with which the owners of bots at the real Telegram sign in to the console of `make dev`.

`python -m local.owner_login --port P`. Telegram's web login needs an https address. This login takes its place and has
the same routes (`local/telegram/login.py`). The person at this machine chooses one of the agents' owners. The choice is
not checked, since anybody at this machine can also read the same conversations in the data folder.
"""

import argparse
import os
import sys
import time
from collections.abc import Collection, Sequence
from functools import cached_property

import uvicorn
from google.cloud.firestore_v1.async_client import AsyncClient
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from local.ports import HOST, listen
from local.server_config import server_config
from local.telegram.login import LoginFace
from local.telegram.settings import TelegramSettings
from shared.console.signin.owners import AgentOwners


class OwnerNames:
    """Reads from the database who owns an agent, and names each owner after the owned agents, since the database may
    lack people's names.
    """

    def __init__(self, project: str, agents: Collection[str]) -> None:
        self._project, self._agents = project, agents

    async def read(self) -> dict[int, str]:
        """Return the owners' names by their ids. Raises StoreUnavailable or StoreRefused."""
        owned: dict[int, list[str]] = {}
        for one in await self._owners.read():
            if one.owner is not None:
                owned.setdefault(one.owner, []).append(one.agent)
        return {owner: f"The owner of {' and '.join(agents)}" for owner, agents in owned.items()}

    @cached_property
    def _owners(self) -> AgentOwners:
        """The object that reads the owners from the database. It is created at its first use, since its client belongs
        to the running event loop.
        """
        return AgentOwners(AsyncClient(project=self._project), self._agents)


def build_app(settings: TelegramSettings, owners: OwnerNames) -> Starlette:
    """Return the application."""
    return Starlette(routes=[Route("/healthz", _healthz), *LoginFace(settings, owners.read, time.time).routes()])


async def _healthz(_: Request) -> Response:
    return Response("ok")


def main(arguments: Sequence[str]) -> int:
    """Serve until SIGTERM or SIGINT. Return 1 if the port is taken."""
    parser = argparse.ArgumentParser(
        prog="python -m local.owner_login", description="Lets owners of real bots sign in."
    )
    parser.add_argument("--port", type=int, required=True)
    asked = parser.parse_args(arguments)
    settings = TelegramSettings(
        seed=os.environ["LULL_LOCAL_SEED"],
        login_client=os.environ["LULL_LOGIN_CLIENT"],
        login_back=os.environ["LULL_LOCAL_LOGIN_BACK"],
    )
    owners = OwnerNames(os.environ["GOOGLE_CLOUD_PROJECT"], os.environ["LULL_AGENTS"].split(","))
    try:
        listener = listen(HOST, asked.port)
    except OSError as taken:
        print(f"The login cannot listen on {HOST}:{asked.port}: {taken.strerror}.", file=sys.stderr)
        return 1
    uvicorn.Server(server_config(build_app(settings, owners))).run(sockets=[listener])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
