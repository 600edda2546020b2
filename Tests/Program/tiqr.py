"""What tests of Tiqr share: sites (Tests/Support/tiqr_site.py), an account at one, and logins by links as a script does them."""

import importlib.util

import pytest
import seeds
from conftest import ROOT, check_schema

specification = importlib.util.spec_from_file_location("tiqr_site", ROOT / "Tests/Support/tiqr_site.py")
tiqr_site = importlib.util.module_from_spec(specification)
specification.loader.exec_module(tiqr_site)
Site, ocra = tiqr_site.Site, tiqr_site.ocra


@pytest.fixture
def make_site():
    sites = []

    def make(**options):
        sites.append(Site(**options))
        return sites[-1]
    yield make
    for site in sites:
        site.stop()


@pytest.fixture
def site(make_site):
    return make_site()


def enroll(home, site, user="mira", name="fern", **link):
    home.ok("enroll", "-", "--yes", "--name", name, stdin=site.enrollment_link(user, **link) + "\n")
    return home


def connect(home, site):
    """Gives the home a PIN and the account mira at this site, as `fern`, without an enrollment."""
    seeds.connect_tiqr(home.set_pin(), site)
    return home


@pytest.fixture
def enrolled(home, site):
    return connect(home, site)


def show(home, link, *args):
    return home.json("show", "-", *args, stdin=link + "\n")


def approve(home, link, *args, **options):
    """As a script does it: what `show` told is what is approved."""
    card = show(home, link, *[a for a in args if a != "--yes"])
    return home.run(
        "approve", "-", "--fingerprint", card["fingerprint"], "--json", *args, stdin=link + "\n", **options)


def decision(result):
    check_schema(["approve"], result.json)
    return result.json["decisions"][0]


def connection(home, name="fern"):
    return next(c for c in home.json("connections")["connections"] if c["name"] == name)
