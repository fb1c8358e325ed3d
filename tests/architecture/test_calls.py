"""Calls that are not made in this project: without a time limit, past the clock, past the translator."""

import ast
import re

import pytest

RUNNERS = {"run", "call", "check_call", "check_output"}
SHELLS = {"subprocess.getoutput", "subprocess.getstatusoutput", "os.system", "os.popen"}
HTTP_VERBS = {"get", "head", "options", "post", "put", "delete", "patch", "request", "send"}
CONNECTORS = {"urlopen", "create_connection", "HTTPConnection", "HTTPSConnection"}
CLOCK_NAMES = {"time", "time_ns", "localtime", "ctime"}
CLOCK_READS = re.compile(
    rf"(^|\.)(datetime\.(now|utcnow|today)|date\.today|time\.({'|'.join(CLOCK_NAMES)}))$"
)
# The one clock, and the rooms of the jobs themselves, which live in processes of their own.
CLOCKS = ("ridgeline_desktop/host/clock.py", "ridgeline_desktop/jobkit/")


def dotted(node: ast.AST) -> str:
    """`a.b.c` of a name or attribute; what is no name becomes `?`."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"


def imported(tree: ast.Module, module: str) -> set[str]:
    """The names a file takes out of `module` by `from ... import`."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == module
        for alias in node.names
    }


def unlimited_calls(tree: ast.Module) -> list[ast.Call]:
    runners = {f"subprocess.{name}" for name in RUNNERS} | (imported(tree, "subprocess") & RUNNERS)
    uses_requests = any(
        isinstance(node, ast.Import) and node.names[0].name == "requests" for node in ast.walk(tree)
    )
    return [
        call
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and "timeout" not in {keyword.arg for keyword in call.keywords}
        and (dotted(call.func) in runners or waits_for_ever(call) or (uses_requests and is_request(call)))
    ]


def waits_for_ever(call: ast.Call) -> bool:
    name = dotted(call.func)
    last = name.rpartition(".")[2]
    if name in SHELLS or last in CONNECTORS or last == "communicate":
        return True
    return last == "wait" and "." in name and not call.args


def is_request(call: ast.Call) -> bool:
    """A call of requests or one of its sessions. Sessions of jobkit.http_session bring their limit along;
    files that use those do not import requests."""
    receiver, _, verb = dotted(call.func).lower().rpartition(".")
    return verb in HTTP_VERBS and (receiver == "requests" or receiver.endswith("session"))


def clock_reads(tree: ast.Module) -> list[ast.AST]:
    by_name = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module == "time"
        and CLOCK_NAMES & {alias.name for alias in node.names}
    ]
    return by_name + [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and CLOCK_READS.search(dotted(node))
    ]


def lost_translations(tree: ast.Module) -> list[ast.Call]:
    """Calls whose words the translation tools do not find: tr(f"...") and a helper called _."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        call
        for call in calls
        if dotted(call.func) == "_"
        or (
            dotted(call.func).rpartition(".")[2] in {"tr", "translate"}
            and any(isinstance(argument, ast.JoinedStr) for argument in call.args)
        )
    ]


def test_no_call_of_a_program_or_the_network_is_without_a_time_limit(shipped):
    assert [source.at(call) for source in shipped for call in unlimited_calls(source.tree)] == []


def test_nothing_but_the_clock_asks_what_time_it_is(shipped):
    others = [source for source in shipped if not source.path.startswith(CLOCKS)]
    assert [source.at(node) for source in others for node in clock_reads(source.tree)] == []


def test_every_text_for_people_can_be_found_by_the_translation_tools(package):
    assert [source.at(call) for source in package for call in lost_translations(source.tree)] == []


@pytest.mark.parametrize(
    "text",
    [
        "subprocess.run(['true'])",
        "from subprocess import check_output\ncheck_output(['true'])",
        "child.communicate()",
        "self._child.wait()",
        "os.system('true')",
        "import requests\nrequests.get(url)",
        "import requests\nself._session.post(url, json={})",
        "urllib.request.urlopen(url)",
    ],
)
def test_a_call_without_a_limit_is_seen(text):
    assert len(unlimited_calls(ast.parse(text))) == 1


@pytest.mark.parametrize(
    "text",
    ["subprocess.run(['true'], timeout=5)", "done.wait(5)", "session.get(url)", "settings.get('zone')"],
)
def test_a_call_with_a_limit_is_let_through(text):
    assert unlimited_calls(ast.parse(text)) == []


@pytest.mark.parametrize(
    "text",
    ["datetime.now(UTC)", "dt.datetime.utcnow()", "field(default_factory=datetime.now)", "time.time()",
     "from time import time", "date.today()"],
)  # fmt: skip
def test_a_look_at_the_clock_is_seen(text):
    assert len(clock_reads(ast.parse(text))) == 1


def test_our_own_clock_and_durations_are_let_through():
    assert clock_reads(ast.parse("clock.now()\nself._clock.now()\ntime.monotonic()")) == []


def test_a_text_that_would_be_lost_in_translation_is_seen():
    lost = ast.parse("self.tr(f'{n} jobs')\n_('jobs')\nself.tr('{} jobs').format(n)")
    assert len(lost_translations(lost)) == 2
