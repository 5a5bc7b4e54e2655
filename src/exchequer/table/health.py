"""What monitors ask: is it alive, is it ready, what does it count."""

import ipaddress

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from exchequer import __version__
from exchequer.table.refusals import NotFound, TableRefusal
from exchequer.table.service import Service
from exchequer.table.upkeep import check, why_no_backup

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def alive() -> Response:
    """The process answers."""
    return PlainTextResponse("ok\n")


@router.get("/readyz")
async def ready(request: Request) -> Response:
    """Whether games can be played: the database answers. Says, too, if a backup could be made."""
    service: Service = request.app.state.service
    service.spend(request, None, "reads")
    found = await to_thread.run_sync(readiness, service)
    return JSONResponse(found, 200 if found["ready"] else 503)


def readiness(service: Service) -> dict[str, object]:
    try:
        check(service.store)
        backup = why_no_backup(service.store)
    except TableRefusal as refusal:
        return {"ready": False, "database": str(refusal), "version": __version__}
    return {"ready": True, "database": "ok", "backup": backup or "ok", "version": __version__,
            "compiled": len(service.precompiler.ready)}


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """For Prometheus on this machine; behind a proxy it looks as if it were not there."""
    service: Service = request.app.state.service
    if not is_local(request):
        raise NotFound("There is nothing here.")
    return PlainTextResponse(service.metrics.text(), media_type="text/plain; version=0.0.4")


def is_local(request: Request) -> bool:
    if "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    try:
        return bool(request.client and ipaddress.ip_address(request.client.host).is_loopback)
    except ValueError:
        return False
