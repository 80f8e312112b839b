"""Addresses that nobody reads, and real ones that look similar."""

import pytest

from operations.deployment.addresses import is_address, is_nobodys


@pytest.mark.parametrize(
    "text",
    [
        "me@example.com",
        "alerts@example.org",
        "ops@mail.example.net",
        "me@host.example",
        "me@some.invalid",
        "root@box.localhost",
        "ann@mailbox.local",
        "ann@server.lan",
        "ann@example.de",
        "you@yourdomain.com",
        "alerts@yourdomain.co.uk",
        "admin@your-company.com",
        "You@YourCompany.io",
        "you@your.domain",
        "you@your.company.com",
        "ops@deinefirma.de",
        "jean@votredomaine.fr",
        "ana@tudominio.es",
        "your@email.com",
        "name@domain.tld",
        "name@domain.com",
        "user@mail.com",
        "me@domain.com",
        "you@mydomain.com",
        "youremail@gmail.com",
        "your.name@gmail.com",
        "firstname.lastname@acme.com",
        "you@gmail.com",
        "me@gmail.com",
        "username@outlook.com",
        "foo@bar.com",
        "test@test.com",
        "admin@admin.com",
        "a@b.com",
        "max.mustermann@beispiel.de",
    ],
)
def test_an_example_and_a_place_to_fill_in_are_nobodys(text: str) -> None:
    assert is_address(text)
    assert is_nobodys(text)


@pytest.mark.parametrize(
    "text",
    [
        "me@mydomain.de",
        "ann@mydomain.com",
        "anna@email.com",
        "anna@mail.com",
        "info@domain.com",
        "me@yourkarma.org",
        "ann@your.org",
        "ann@static.1.clients.your-server.de",
        "you@yourself.net",
        "me@tuhost.com",
        "ann@exampleton.co.uk",
        "mail@test-engineering.de",
        "hello@foo.dev",
        "me@company-of-wolves.com",
        "a@x.com.pl",
        "user@acme.io",
        "me@me.com",
        "name@nameless.studio",
        "ann+lull@gmail.com",
        "j@doe.name",
        "ann@xn--bcher-kva.de",
        "ann@mail.test",
        "admin@local.ch",
        "ops@internal.tools",
    ],
)
def test_a_domain_that_looks_odd_is_somebodys(text: str) -> None:
    assert is_address(text)
    assert not is_nobodys(text)


@pytest.mark.parametrize(
    "text", ["ann", "ann@mail", "ann@@mail.de", "Ann <ann@mail.de>", "mailto:ann@mail.de", " ann@mail.de", "a@b.c", ""]
)
def test_what_is_no_address_alone(text: str) -> None:
    assert not is_address(text)
