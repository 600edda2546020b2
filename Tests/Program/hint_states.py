"""The states in which commands give their hints. Each state is a function that brings a home there; it returns the words that stand in
the commands of that state for what only the person knows."""

import contextlib
import json
import os
import re
import signal

import seeds
from conftest import PIN, Bank, Result
from innards import items_of, remove_items
from issuers import Issuer, LoginRun, await_expiry, log_in, redirect_of, visit
from push import PushServer
from test_damaged_items import damages, put
from test_damaged_ledger import damage
from test_enroll import Waiting, sign_in
from test_pin import block
from tiqr import Site
from tokens import SERIAL

# Words that stand for something that only the person knows.
PLACEHOLDER = re.compile(r"^[A-Z]{2,}$|^https://ISSUER$|^-$")


class World:
    """A home, and all that is around it. What a state does not use is not made."""

    def __init__(self, home, agents, stack):
        self.home, self.agents, self.stack = home, agents, stack
        self.known = {"NAME": "demobank", "NEW": "moss", "COMMAND": "connections", "PREFIX": "https://api.example/", "ID": "public-client",
                      "URI": "http://127.0.0.1/callback", "SCOPE": "openid"}
        # Standard input of the commands that take a link by `-`.
        self.links = {
            "enroll": lambda: self.bank.link(instant=True), "act": lambda: self.bank.post("actions", user="ada")["link"],
            "reconnect": lambda: self.bank.link()}
        self.environment, self.made = {}, {}
        # What passes by itself after the hint was given.
        self.mend = lambda: None

    def _kept(self, name, make):
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    @property
    def bank(self):
        def make():
            bank = Bank(self.home.path)
            self.stack.callback(bank.stop)
            return bank
        return self._kept("bank", make)

    @property
    def issuer(self):
        return self._kept("issuer", lambda: self.stack.enter_context(Issuer()))

    @property
    def site(self):
        return self._kept("site", lambda: self.stack.enter_context(Site()))

    @property
    def server(self):
        def make():
            server = PushServer()
            self.stack.callback(server.stop)
            return server
        return self._kept("server", make)

    def agent(self, **options):
        return self._kept("agent", lambda: self.agents(self.home, **options))

    # Commands

    def secret_file(self):
        """The file with the secret of basic-client, which the issuer knows."""
        path = self.home.path / "secret"
        self.issuer.client("basic-client", ["http://127.0.0.1/callback"], secret="t0ps3cret", auth="basic")
        path.write_text("t0ps3cret\n")
        path.chmod(0o600)
        return str(path)

    def filled(self, words):
        """A command with the person's own words in place of those that stand for them."""
        known = dict(self.known)
        if any(word in ("URL", "ISSUER", "https://ISSUER") for word in words):
            known = dict.fromkeys(("URL", "ISSUER", "https://ISSUER"), self.issuer.issuer) | known
        return [known.get(word, "-") if PLACEHOLDER.match(word) else word for word in words]

    def run(self, words):
        """Runs a command as the person does; returns its failure, or None."""
        words = self.filled(words)
        if words[0] in ("enroll", "act") and "-" not in words:
            words = [*words, "-"]
        if words == ["login"]:
            words = ["login", self.issuer.issuer]
        if words[0] in ("enroll", "act", "reconnect") and "--yes" not in words:
            words = [*words, "--yes"]
        link = self.links[words[0]]() + "\n" if "-" in words and words[0] in self.links else ""
        result = self._carried_out(words, link)
        # Doctor answers with what it found.
        answer = result.json if result.code else {}
        # Doctor and the verification of the log answer with what they found.
        if result.code == 0 or "checks" in answer or "log" in answer:
            return None
        if "error" in answer:
            return answer["error"]
        return next((d["error"] for d in answer.get("decisions", []) if d["error"]), None) or answer["failures"][0]

    def said(self, words):
        """What a command says to a person beside its answer, in one line."""
        words = self.filled(words)
        link = ""
        if words[0] in ("enroll", "act"):
            words, link = [*words, "-", "--yes"], self.links[words[0]]() + "\n"
        if words[0] == "login":
            run = LoginRun(self.home, *words[1:])
            if run.page:
                visit(redirect_of(run.page))
            result = run.end()
        else:
            result = self.home.run(*words, stdin=link)
        return " ".join((result.out + result.err).split())

    def _carried_out(self, words, link):
        home = self.home
        if words[0] == "login":
            # The browser belongs to the person.
            run = LoginRun(home, *words[1:], "--json")
            if run.page:
                # A wait that is over soon may be over now.
                with contextlib.suppress(OSError, *[AssertionError] * ("--timeout" in words)):
                    visit(redirect_of(run.page))
                # The next time the page answers as it should.
                self.issuer.redirect, self.issuer.subject = {}, "mira"
            return run.end()
        if words[0] == "reconnect" and "-" not in words and words[1] == "demobank":
            reconnecting = Waiting(home, *[word for word in words if word != "--yes"], "--json")
            sign_in(reconnecting.page)
            return Result(reconnecting.end(), reconnecting.out, reconnecting.said)
        if words[:2] == ["pin", "change"]:
            home.write_pin(PIN, "314159")
            result = home.run(*words, "--json")
            home.write_pin("314159" if result.code == 0 else PIN)
            return result
        if words[:2] == ["agent", "--daemonize"] or words[:2] == ["pin", "reset"]:
            return home.run(*words, *(["--yes"] if words[0] == "pin" else []), "--json", pin=False)
        if words[0] == "watch":
            words = [*words, "--once"]
        return home.run(*words, "--json", pin="--no-input" not in words, stdin=link, environment=self.environment)


# Banks


def fresh(w):
    return {}


def with_pin(w):
    w.home.set_pin()
    return {}


def connected(w):
    w.home.set_pin().enroll(w.bank)
    return {"REF": f"demobank:{w.bank.pay()}"}


def seen(w):
    """The content was seen, so it can be decided."""
    known = connected(w)
    return known | {"PRINT": w.home.json("show", known["REF"])["fingerprint"]}


def decided(w):
    known = seen(w)
    w.home.ok("approve", known["REF"], "--fingerprint", known["PRINT"])
    return known


def ended(w):
    """The bank ended the connection, and nobody asked since."""
    known = connected(w)
    w.bank.post(f"connections/{w.bank.get('connections')[0]['id']}/revoke")
    return known


def ended_and_known(w):
    known = ended(w)
    w.home.run("pending")
    return known


def lost_answer(w):
    known = seen(w)
    w.bank.fault("authorizations.decide", after=True, drop=True)
    return known


def unsettled(w):
    """A decision whose answer was lost."""
    known = lost_answer(w)
    w.home.run("approve", known["REF"], "--fingerprint", known["PRINT"])
    return known


def lost_claim(w):
    known = connected(w)
    w.bank.fault("actions.claim", after=True, drop=True)
    return known


def refused_claim(w):
    known = connected(w)
    w.bank.fault("actions.claim", status=406, error_class="ActionNotValid", error_message="over")
    return known


def other_account(w):
    """An action is for an account that is not connected."""
    known = connected(w)
    w.bank.user("ole")
    w.home.enroll(w.bank, user="ole", name="second")
    link = w.bank.post("actions", user="ole")["link"]
    w.links["act"] = lambda: link.replace("127.0.0.1", "127.0.0.2")
    return known


def slow_bank(w):
    """A bank with v2 works on a decision for longer than anybody waits."""
    w.home.set_pin().enroll(w.bank, protocol="v2", name="demobank")
    id = w.bank.post("authorizations", user="ada", title="Pay", description={"text": "To Fern"}, polls=1000)["ids"][0]
    ref = f"demobank:{id}"
    return {"REF": ref, "PRINT": w.home.json("show", ref)["fingerprint"]}


def lying_bank(w):
    """A bank with v2 reads denials as approvals."""
    w.home.set_pin().enroll(w.bank, protocol="v2", name="demobank")
    id = w.bank.post("authorizations", user="ada", title="Pay", description={"text": "To Fern"}, outcome="confirmed")["ids"][0]
    return {"REF": f"demobank:{id}"}


def bank_is_down(w):
    known = connected(w)
    w.bank.stop()
    return known


def consent_lost(w):
    connected(w)
    id = w.bank.post("consents", user="ada", tpp_name="Fern Budget", consent_type="aisp", accounts=[], shared_data=None)["ids"][0]
    w.bank.fault("consents.revoke", after=True, drop=True)
    return {"REF": f"demobank:{id}"}


def revoke_lost(w):
    known = connected(w)
    w.bank.fault("connections.revoke", after=True, drop=True)
    return known


def damaged_row(w):
    known = connected(w)
    damage(w.home, "UPDATE connection SET content = NULL")
    return known


def blocked(w):
    known = connected(w)
    block(w.home)
    return known


def bank_link(w):
    w.home.set_pin()
    w.links["act"] = lambda: w.bank.link(instant=True)
    return {"LINK": w.bank.link(instant=True)}


def action_link(w):
    connected(w)
    w.links["enroll"] = w.links["show"] = lambda: w.bank.post("actions", user="ada")["link"]
    return {}


def edited_log(w):
    """The keyring lost its copy of the log's end."""
    known = decided(w)
    remove_items(*[item.path for item in items_of(w.home, "log-head")])
    return known


# Keyrings


def damaged_key(w):
    known = connected(w)
    [broken] = items_of(w.home, "key")
    put(broken, damages(broken, broken)["empty"])
    return known


def damaged_tiqr_secret(w):
    known = tiqr(w)
    [broken] = items_of(w.home, "shared-secret")
    put(broken, damages(broken, broken)["empty"])
    return known


def damaged_device_secret(w):
    known = connected(w)
    [broken] = items_of(w.home, "device-secret")
    put(broken, b"")
    return known


def lost_device_secret(w):
    known = connected(w)
    remove_items(*[item.path for item in items_of(w.home, "device-secret")])
    return known


# Tiqr and push tokens


def tiqr(w):
    seeds.connect_tiqr(w.home.set_pin(), w.site)
    link = w.site.challenge()
    w.links |= dict.fromkeys(("show", "approve", "act"), lambda: link)
    w.links["reconnect"] = w.site.enrollment_link
    return {"NAME": "fern", "LINK": "-", "HEX": w.home.json("show", "-", stdin=link + "\n")["fingerprint"]}


def tiqr_stranger(w):
    known = tiqr(w)
    other = w.stack.enter_context(Site(service="login.elm.example"))
    w.links["act"], w.links["enroll"] = other.challenge, other.enrollment_link
    return known


def tiqr_other_account(w):
    known = tiqr(w)
    w.links["act"] = lambda: w.site.challenge("ada")
    return known


def tiqr_taken_over(w):
    """Another device took the account over."""
    known = tiqr(w)
    w.site.accounts["mira"] = bytes(32)
    return known


def tiqr_blocked(w):
    w.made["site"] = w.stack.enter_context(Site(form="counting", attempts=1))
    return tiqr_taken_over(w)


def tiqr_lost_answer(w):
    known = tiqr(w)
    w.site.faults["/login"] = lambda handler: handler.cut()
    return known


def tiqr_again(w):
    known = tiqr(w)
    w.links["enroll"] = w.site.enrollment_link
    return known


def push(w):
    seeds.connect_push(w.home.set_pin(), w.server)
    w.links["reconnect"] = lambda: w.server.token(serial=SERIAL, again=True)
    return {"NAME": "fern"}


def push_foreign_link(w):
    """The link is for another token than the one that is connected again."""
    known = push(w)
    link = w.server.token("ole")
    w.links |= {"reconnect": lambda: link, "enroll": lambda: link}
    return known


def push_again(w):
    """The link of an enrollment is for a token that is connected."""
    known = push(w)
    w.links["enroll"] = lambda: w.server.token(serial=SERIAL, again=True)
    return known


def push_options(w):
    known = push(w)
    w.server.login(require_presence="04,17", answer="17")
    [item] = w.home.json("pending")["authorizations"]
    return known | {"REF": item["ref"], "PRINT": item["fingerprint"]}


def push_two_wrong_options(w):
    known = push_options(w)
    for _ in range(2):
        w.home.run("approve", known["REF"], "--fingerprint", known["PRINT"], "--option", "04")
    return known


def push_lost_answer(w):
    known = push(w)
    w.server.login()
    [item] = w.home.json("pending")["authorizations"]
    w.server.lose = ["answer"]
    return known | {"REF": item["ref"], "PRINT": item["fingerprint"]}


def push_crowd(w):
    known = push(w)
    for _ in range(3):
        w.server.login()
    return known


def push_deleted(w):
    known = push(w)
    del w.server.tokens[SERIAL]
    w.links["reconnect"] = lambda: w.server.token(serial=SERIAL)
    return known


# Agents


def agent_shut(w):
    known = connected(w)
    w.agent()
    return known


def agent_open(w):
    known = connected(w)
    w.agent().unlock()
    return known


def agent_hangs(w):
    known = connected(w)
    os.kill(w.agent().pid, signal.SIGSTOP)
    return known


def agent_elsewhere(w):
    """An agent runs, and this command finds no socket of it."""
    known = connected(w)
    w.agent()
    w.environment = {"XDG_RUNTIME_DIR": ""}
    return known


# Sessions


def signed_in(w, *args, **options):
    if options:
        w.made["issuer"] = w.stack.enter_context(Issuer(**options))
    with_pin(w)
    log_in(w.home, w.issuer, "--name", "fern", *args)
    return {"NAME": "fern"}


def ran_out(w, **options):
    """The access token is over, and the next ones live an hour."""
    known = signed_in(w, expires_in=11, **options)
    await_expiry(w.home)
    w.issuer.expires_in = 3600
    return known


def never_renewed(w):
    return ran_out(w, refresh_tokens=False)


def no_openid(w):
    return signed_in(w, "--scope", "fern.read")


def signed_in_twice(w):
    known = signed_in(w)
    log_in(w.home, w.issuer, "--name", "oak", "--scope", "openid")
    return known


def somebody_else(w):
    known = signed_in(w)
    w.issuer.subject = "ole"
    return known


def forgotten_client(w):
    """The issuer no longer knows the client that was registered there."""
    known = signed_in(w)
    w.issuer.fault("token", "error", error="invalid_client", status=401)
    return known


def with_service(w):
    """A service that no site covers."""
    known = signed_in(w)
    return known | {"PREFIX": w.issuer.api, "API": w.issuer.api}


def with_site(w):
    known = signed_in(w)
    w.home.ok("sites", "add", w.issuer.api, "--yes")
    return known | {
        "PREFIX": w.issuer.api, "API": w.issuer.api, "LACKING": 'Bearer error="insufficient_scope", scope="fern.write"',
        "WEAK": "Bearer error=insufficient_user_authentication, acr_values=gold"}


def with_resource(w):
    with_pin(w)
    w.issuer.resources = [w.issuer.api]
    return {"API": w.issuer.api}


def host_site(w):
    """A site of a whole host gets a token where a service describes itself, and this one's description cannot be fetched."""
    known = signed_in(w)
    w.home.ok("sites", "add", w.issuer.origin.removeprefix("http://"), "--session", "fern", "--yes")
    return known | {"PREFIX": w.issuer.api, "API": w.issuer.api, "UNDESCRIBED": f'Bearer resource_metadata="{w.issuer.origin}/nowhere"'}


def site_of_another_issuer(w):
    known = signed_in(w)
    w.issuer.fault("resource", "change", **{"with": {"authorization_servers": ["https://oak.example"]}})
    return known | {"PREFIX": w.issuer.api}


def several_issuers(w):
    with_pin(w)
    w.issuer.other_issuers = ["https://moss.example"]
    return {"URL": w.issuer.api, "ISSUER": w.issuer.issuer}


def no_documents(w):
    with_pin(w)
    w.issuer.documents = []
    path = w.home.path / "fern.toml"
    path.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in dict(
        issuer=w.issuer.issuer, authorization_endpoint=w.issuer.base + "/authorize", token_endpoint=w.issuer.base + "/token",
        jwks_uri=w.issuer.base + "/jwks", client_id="public-client", scopes=["openid"], redirect_uri="http://127.0.0.1/callback").items()))
    return {"FILE": str(path)}


def described(w):
    """A session of an issuer without documents."""
    known = no_documents(w)
    log_in(w.home, "--from", known["FILE"], "--name", "fern")
    return known | {"NAME": "fern"}


def no_registration(w):
    with_pin(w)
    w.issuer.registration = False
    return {}


def no_devices(w):
    with_pin(w)
    w.issuer.metadata = {"device_authorization_endpoint": None}
    return {}


def registration_refused(w):
    with_pin(w)
    w.issuer.fault("register", "error", error="invalid_client_metadata")
    return {}


def page(state=with_pin, **redirect):
    """A state in which the issuer's page answers so, once."""
    def enter(w):
        known = state(w)
        w.issuer.redirect = redirect if "iss" in redirect else {"code": None, **redirect}
        return known
    return enter


page_denied, page_login = page(error="access_denied"), page(error="login_required")
page_unexplained, page_target, page_weak = page(error=""), page(error="invalid_target"), page(error="unmet_authentication_requirements")
page_error, page_invalid, page_odd = page(error="server_error"), page(error="invalid_request"), page(error="fern_is_out")
page_scope, page_client, page_of_another = page(error="invalid_scope"), page(error="unauthorized_client"), page(iss="https://oak.example")
page_denied_again = page(signed_in, error="access_denied")


def code(what, **fault):
    """A state in which the issuer answers so to the first code."""
    def enter(w):
        with_pin(w)
        w.issuer.fault("token", what, **fault)
        return {"ID": "basic-client", "PATH": w.secret_file()}
    return enter


code_refused, code_lost = code("error", error="invalid_grant"), code("after_drop")
code_client, code_unexplained = code("error", error="invalid_client", status=401), code("empty", status=400)


def id_token_foreign(w):
    with_pin(w)
    w.issuer.sign = "foreign"
    return {}


def renewal(what, **fault):
    """A state in which the issuer answers so to the next renewal."""
    def enter(w):
        known = ran_out(w)
        w.issuer.fault("token", what, grant="refresh_token", **fault)
        return known
    return enter


signed_out, renewal_client = renewal("error", error="invalid_grant"), renewal("error", error="invalid_client", status=401)
renewal_redirects, renewal_invalid = renewal("redirect", to="https://oak.example/"), renewal("error", error="invalid_request")
renewal_odd, renewal_scope = renewal("error", error="fern_is_out"), renewal("error", error="invalid_scope")
renewal_unusable = renewal("answer", body='{"token_type": "Bearer"}')


def id_token_unjudged(w):
    known = ran_out(w)
    w.issuer.fault("jwks", "error", error="server_error", status=500, times=-1)
    w.home.ok("token")
    return known


def id_token_faulty(w):
    known = ran_out(w)
    before = w.home.ok("token", "--id-token").out
    w.links["token"] = lambda: before
    w.issuer.sign, w.mend = "foreign", lambda: setattr(w.issuer, "sign", "right")
    return known


def userinfo_fails(w):
    known = signed_in(w)
    w.issuer.fault("userinfo", "html")
    return known


def userinfo_of_another(w):
    known = signed_in(w)
    w.issuer.userinfo = {"sub": "ole"}
    return known


def no_userinfo(w):
    return signed_in(w, metadata={"userinfo_endpoint": None})


def damaged_rows(w):
    known = signed_in(w)
    w.home.ok("sites", "add", w.issuer.api, "--yes")
    w.home.ok("grants", "add", "unit:backup.service", "--session", "fern")
    damage(w.home, *(f"UPDATE {table} SET content = NULL" for table in ("session", "token", "site", "permit")))
    return known
