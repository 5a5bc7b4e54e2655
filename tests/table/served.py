"""A table served for a test: in this process, or as a process that can be killed."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from typing import Any

import httpx
import uvicorn

from exchequer.table.app import create_app
from exchequer.table.limits import NO_LIMITS, Limits
from exchequer.table.server import configure
from exchequer.table.service import Service, Settings


class Served:
    """`with Served(database) as it: it.url ...`"""

    def __init__(self, database: str, limits: Limits = NO_LIMITS, pace: float = 0.0,
                 warm: bool = False, reports: tuple[pathlib.Path, ...] = (),
                 trusted_proxies: tuple[str, ...] = (), **more: Any) -> None:
        self.app = create_app(Settings(database, pace, warm, limits=limits, reports=reports,
                                       **more))
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.clients: list[httpx.Client] = []
        self.server = uvicorn.Server(configure(self.app, trusted_proxies))
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],), daemon=True)

    @property
    def service(self) -> Service:
        return self.app.state.service

    def __enter__(self) -> "Served":
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(15)
        self.socket.close()
        for client in self.clients:
            client.close()

    def program(self) -> httpx.Client:
        """A program with a token of its own."""
        return self.client(authorization=f"Bearer {self.service.tokens.issue().token}")

    def client(self, **headers: str) -> httpx.Client:
        """Closed with the server."""
        self.clients.append(httpx.Client(base_url=self.url, timeout=20, headers=headers))
        return self.clients[-1]


class Process:
    """`exchequer serve` as a process of its own, which can be killed without warning."""

    def __init__(self, database: str, port: int, **options: Any) -> None:
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "exchequer", "serve", "--host", "127.0.0.1", "--port",
                   str(port), "--database", database, "--pace", "0", "--no-browser", "--no-warm",
                   "--no-limits"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env=os.environ)

    def wait(self, seconds: float = 150) -> "Process":
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{self.url}/api/v1/games", timeout=5).read()
                return self
            assert self.process.poll() is None, "the server has ended by itself"
            time.sleep(0.05)
        raise TimeoutError("the server does not answer")

    def kill(self) -> None:
        """kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)
