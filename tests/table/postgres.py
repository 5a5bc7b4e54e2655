"""A PostgreSQL of the tests' own: a fresh cluster on a free port, gone afterwards."""

import contextlib
import glob
import os
import pathlib
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator


def binary(name: str) -> str | None:
    """Debian keeps the server's programs off the path."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), reverse=True)
    return found[0] if found else shutil.which(name)


def free_port() -> int:
    """Below those that the system gives away, others for each worker: nobody takes it meanwhile."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 10
    while True:
        port = 20_000 + 1_000 * worker + secrets.randbelow(1_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def other_user() -> dict[str, int]:
    """PostgreSQL does not run as root; as root we step down to somebody else."""
    if os.getuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(name)
            return {"user": user.pw_uid, "group": user.pw_gid}
    raise RuntimeError("PostgreSQL does not run as root, and there is no other user here.")


@contextlib.contextmanager
def cluster() -> Iterator[str]:
    """The address of a running server with an empty database."""
    initdb, pg_ctl = binary("initdb"), binary("pg_ctl")
    if not initdb or not pg_ctl:
        raise RuntimeError("PostgreSQL is missing; `make test` installs it, or: "
                           "apt-get install postgresql")
    user, port = other_user(), free_port()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="exchequer-pg-"))
    if user:
        os.chown(folder, user["user"], user["group"])

    def run(*command: str) -> None:
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"}, **user)

    try:
        run(initdb, "-D", f"{folder}/data", "-A", "trust", "-U", "exchequer", "-E", "UTF8",
            "--no-sync")
        options = (f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=on "
                   "-c max_connections=200")
        run(pg_ctl, "-D", f"{folder}/data", "-o", options, "-w", "start")
        try:
            yield f"postgresql://exchequer@127.0.0.1:{port}/postgres"
        finally:
            run(pg_ctl, "-D", f"{folder}/data", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
