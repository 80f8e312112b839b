"""One local cloud for the stories of a test worker, with the scripted model and short quiet times."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from tests.stories.play import Model, Stage
