"""A real HTTP server on loopback that answers as it is told and remembers what it was asked."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

SILENCE = "silence"  # accept the request and never answer
HANG_UP = "hang up"  # close the connection without an answer
BREAK_OFF = "break off"  # promise ten bytes, send two, close


@dataclass
class Server:
    """`answers` are given in turn: a status, (status, headers), or one of the words above; then 200.

    Every answer has the same `body`; `asked` and `bodies` hold what came in.
    """

    answers: list[Any] = field(default_factory=list)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    body: bytes = b"ok"
    closing: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/orders"

    @property
    def methods(self) -> list[str]:
        return [method for method, _path, _headers in self.asked]

    def handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                server.asked.append((self.command, self.path, dict(self.headers)))
                server.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                answer = server.answers.pop(0) if server.answers else 200
                if answer == SILENCE:
                    server.closing.wait()
                if answer in (SILENCE, HANG_UP):
                    self.close_connection = True
                    return
                status, headers = answer if isinstance(answer, tuple) else (answer, {})
                if answer == BREAK_OFF:
                    status, headers = 200, {"Content-Length": "10"}
                self.send_response(status)
                for name, value in ({"Content-Length": str(len(server.body))} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(server.body)

            def log_message(self, *args: Any) -> None:
                pass

        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            setattr(Handler, f"do_{method}", Handler.answer)
        return Handler


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = Server()
    with ThreadingHTTPServer(("127.0.0.1", 0), server.handler()) as httpd:
        server.port = httpd.server_port
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.closing.set()
        httpd.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def outside_any_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RUN_ID", "JOB", "FENCE", "DEADLINE", "CHECKPOINT", "FILE", "HOME"):
        monkeypatch.delenv(f"RIDGELINE_{name}", raising=False)
