"""All methods that this server knows, by their names in lower case."""

from collections.abc import Mapping

from local.telegram.methods import account, albums, buttons, changing, members, reading, sending, webhook
from local.telegram.methods.request import Method

_TOPICS = (account, albums, buttons, changing, members, reading, sending, webhook)
METHODS: Mapping[str, Method] = {name.lower(): method for topic in _TOPICS for name, method in topic.METHODS.items()}
