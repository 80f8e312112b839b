"""Recognizes e-mail addresses that cannot be a real person's: examples, and placeholders from templates."""

import re
from typing import Final

_ADDRESS: Final = re.compile(r"[^@\s,;:<>\"()]+@([^@\s,;:<>\".]+\.)+([a-z]{2,}|xn--[a-z0-9-]+)", re.IGNORECASE)
#: Domains reserved for examples (RFC 2606), and those that are not reachable from the internet (RFC 6762, 8375, 9476).
#: `.test` is not listed, since people who try lull out use it.
_NO_DOMAIN: Final = re.compile(
    r"(.*\.)?(example|invalid|localhost|localdomain|local|lan|internal|home\.arpa|alt|onion|tld|domain|ext)"
    r"|your\.(own\.)?(domain|company|e?-?mail|organi[sz]ation|host|server)\b.*"
)
#: registrable part of a placeholder domain in templates
_NO_LABEL: Final = re.compile(
    r"(your|deine?|ihre?)[-_]?(own|e)?[-_]?(domaine?|company|firma|organi[sz]ation|business|e-?mail|website|site)"
    r"|(votre|ton|tu|tuo|vuestro|seu|su)[-_]?(domaine|dominio|empresa|entreprise|azienda)"
    r"|example|exemple|ejemplo|esempio|exemplo|beispiel|muster(firma|domain|mail)|(some|any)domain"
)
#: names that are placeholders
_NO_NAME: Final = re.compile(
    r"(your|deine?|ihre?|votre)[._-]?(own|real)?[._-]?(e?-?mail|name|address|adresse|account|user(name)?|login|id)(-?here)?"
    r"|first[._-]?name[._-](last|sur|family)[._-]?name|vorname[._-]nachname|prenom[._-]nom|nombre[._-]apellido"
)
#: names that may exist at a real domain, but are placeholders at a placeholder domain
_NAMES: Final = frozenset(
    [
        "you",
        "your",
        "me",
        "name",
        "user",
        "username",
        "someone",
        "somebody",
        "anyone",
        "email",
        "mail",
        "e-mail",
        "address",
        "foo",
        "bar",
        "abc",
        "xxx",
        "xyz",
        "test",
        "tester",
        "example",
        "john.doe",
        "jane.doe",
        "johndoe",
        "janedoe",
        "max.mustermann",
        "recipient",
    ]
)
_LABELS: Final = frozenset(
    [
        "domain",
        "email",
        "e-mail",
        "mail",
        "company",
        "mydomain",
        "my-domain",
        "mycompany",
        "my-company",
        "yourmail",
        "yourhost",
        "website",
        "mysite",
        "site",
        "host",
        "hostname",
        "provider",
        "mailserver",
        "foo",
        "bar",
        "foobar",
        "abc",
        "xxx",
        "xyz",
        "test",
        "sample",
    ]
)
#: labels of placeholder domains at which the name `me` may be real
_OWN: Final = frozenset({"mydomain", "my-domain", "mycompany", "my-company", "mysite"})
#: Public mail providers, where a placeholder name is not a real account. gmail.com has no names shorter than six
#: letters.
_FREE: Final = re.compile(r"(gmail|googlemail|outlook|hotmail|yahoo|icloud|gmx|web|proton|protonmail)")
_NONE_THERE: Final = frozenset(["you", "your", "name", "user", "username", "someone", "somebody", "example", "email"])
_TOO_SHORT: Final = re.compile(r"[^@+]{1,5}@(gmail|googlemail)\.com")
#: second-level domains below which domains are registered, as in co.uk
_BELOW: Final = frozenset({"co", "com", "org", "net", "ac", "gov", "edu"})


def is_address(text: str) -> bool:
    """Return whether a text is an e-mail address."""
    return _ADDRESS.fullmatch(text) is not None


def is_nobodys(address: str) -> bool:
    """Return whether an address is an example or a placeholder.

    A domain that looks like a placeholder is not enough: `me@mydomain.de` counts as real, `you@mydomain.de` does not.
    """
    name, _, domain = address.lower().partition("@")
    labels = domain.split(".")
    label = labels[-3] if len(labels) > 2 and labels[-2] in _BELOW else labels[-2]
    if _NO_DOMAIN.fullmatch(domain) or _NO_LABEL.fullmatch(label) or _NO_NAME.fullmatch(name):
        return True
    if _TOO_SHORT.fullmatch(address.lower()) or (_FREE.fullmatch(label) and name in _NONE_THERE):
        return True
    is_own = name == "me" and label in _OWN
    is_same = name == label and name in (_NAMES - {"me"}) | {"admin"}
    return (name in _NAMES and label in _LABELS and not is_own) or is_same or f"{name}@{label}" in {"a@b", "x@y"}
