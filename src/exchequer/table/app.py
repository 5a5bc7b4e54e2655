"""The application: routes, refusals as answers, life and death of the service."""

import asyncio
import contextlib
import ctypes
import functools
import gc
import json
import platform
import sys
from collections.abc import AsyncIterator
from typing import Any

from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from exchequer import __version__
from exchequer.core.errors import InputError
from exchequer.table import api, end_pages, entrance, health, learning_pages, pages, stream
from exchequer.table.boards import STATIC
from exchequer.table.guard import HEADERS, Guard, Rules
from exchequer.table.playtest_pages import add_playtests
from exchequer.table.playtests import Playtests
from exchequer.table.refusals import BadInput, NotFound, OtherRules, TableRefusal, TooMuch
from exchequer.table.service import Service, Settings

M_ARENA_MAX = -8  # glibc's name for how many heaps there may be
TRIM_SECONDS = 60.0


def create_app(settings: Settings | None = None) -> FastAPI:
    service = Service(settings)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tune_interpreter()
        service.start()
        trimming = asyncio.create_task(give_memory_back())
        yield
        trimming.cancel()
        service.stop()

    app = FastAPI(title="Exchequer", version=__version__, lifespan=lifespan, redoc_url=None,
                  docs_url=None, openapi_url=None,
                  description="The table's public API: create, join, view, play, journal.")
    app.state.service = service
    app.add_middleware(Guard, rules=Rules(
        service.settings.url, service.admit if service.settings.password else None,
        service.settings.server_timing, service.metrics.observe, service.settings.framed))
    app.include_router(health.router)
    app.include_router(pages.router)
    app.include_router(entrance.router)
    app.include_router(end_pages.router)
    app.include_router(learning_pages.router)
    add_playtests(app, Playtests(service))
    app.include_router(api.router)
    app.include_router(stream.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_exception_handler(InputError, answer_input)
    app.add_exception_handler(RequestValidationError, answer_validation)
    app.add_exception_handler(HTTPException, answer_http)
    app.add_exception_handler(ClientDisconnect, answer_cut_off)
    app.add_exception_handler(Exception, answer_failure)
    return app


def tune_interpreter() -> None:
    """A person's move waits neither long for a thread that draws nor for the garbage collector,
    which by default walks through all matches again and again.

    Threads share one heap: glibc gives them up to eight for each processor, and what is free in one
    is of no use to the others.
    """
    sys.setswitchinterval(1e-3)
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    if library := glibc():
        library.mallopt(M_ARENA_MAX, 1)


async def give_memory_back() -> None:
    """Streams that were closed leave holes between what is kept, which glibc keeps, too: the server
    grew by 3 MB a minute. Takes some milliseconds.
    """
    while library := glibc():
        await asyncio.sleep(TRIM_SECONDS)
        await to_thread.run_sync(library.malloc_trim, 0)


@functools.cache
def glibc() -> Any:
    """The C library, where it is glibc; elsewhere memory is left as it is."""
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None


def answer_refusal(request: Request, refusal: TableRefusal) -> Response:
    if wants_json(request):
        sentence = str(refusal).encode("utf-8", "replace").decode()  # half a character was sent
        story = {"story": json.loads(refusal.row["story"])} \
            if isinstance(refusal, OtherRules) and refusal.row["story"] else {}
        wait = {"retry-after": str(refusal.seconds)} \
            if isinstance(refusal, TooMuch) and refusal.seconds else None
        return JSONResponse({"error": refusal.kind, "sentence": sentence,
                             "paragraphs": refusal.paragraphs, **story}, refusal.status, wait)
    return pages.refused(request, refusal)


def answer_input(request: Request, error: Exception) -> Response:
    refusal = error if isinstance(error, TableRefusal) else BadInput(str(error))
    return answer_refusal(request, refusal)


def answer_validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    return answer_refusal(request, BadInput(f"{where or 'The body'}: {first['msg']}."[:300]))


def answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return answer_refusal(request, NotFound("There is nothing here."))
    refusal = TableRefusal(f"{error.detail}.")
    response = answer_refusal(request, refusal)
    response.status_code = error.status_code
    return response


def answer_cut_off(request: Request, error: Exception) -> Response:
    """The body ended too soon or was cut off by our bound: no failure of ours to be noted."""
    return answer_refusal(request, BadInput("That broke off, or is longer than 64 KB."))


def answer_failure(request: Request, error: Exception) -> Response:
    """Nothing of the inside is shown; the server's log has it."""
    return JSONResponse({"error": "failed", "sentence": "Something went wrong here; it has been "
                         "noted. Your game is safe."}, 500, HEADERS)


def wants_json(request: Request) -> bool:
    path = request.url.path
    return path.startswith("/api") or path.endswith(("/tips", "/why-bot")) \
        or "text/html" not in request.headers.get("accept", "")
