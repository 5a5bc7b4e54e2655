"""Coming in: the password of a closed server, invitations to it, and the same person on a second
device. Links ask before they do anything: programs that look at links in messages must not use
them up.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from exchequer.table.api import Serving
from exchequer.table.guard import COOKIE, PASS_COOKIE, refuse_foreign
from exchequer.table.pages import Form, page, reader, set_cookie, with_cookie
from exchequer.table.refusals import NotAdmitted
from exchequer.table.service import Service

router = APIRouter(include_in_schema=False)
MOST_PATH = 200
Wanted = Annotated[str, Query(max_length=1000)]


def own_path(path: str) -> str:
    """Where somebody wanted to go, if that is a page of ours; the lobby otherwise."""
    is_ours = path.startswith("/") and not path.startswith("//") and len(path) <= MOST_PATH \
        and path.isascii() and path.isprintable() and "\\" not in path
    return path if is_ours else "/"


# A closed server ---------------------------------------------------------------------------------

@router.get("/enter")
def enter_page(request: Request, to: Wanted = "/") -> Response:
    reader(request)
    return page(request, "enter.html", to=own_path(to), invitation="")


@router.get("/enter/{invitation}")
def invited_page(request: Request, invitation: str, service: Serving, to: Wanted = "/"
                 ) -> Response:
    reader(request)
    if not service.tokens.is_invitation(invitation):
        raise NotAdmitted("This invitation is not from here, or too old; ask for another.")
    return page(request, "enter.html", to=own_path(to), invitation=invitation)


@router.post("/enter")
def enter(request: Request, service: Serving, form: Form) -> Response:
    """Say the server's password, or bring an invitation; then go where one wanted to."""
    refuse_foreign(request, by_header=False)
    service.spend(request, None, "passwords")
    refuse_uninvited(service, form.get("password", ""), form.get("invitation", ""))
    answer = RedirectResponse(f"{service.base}{own_path(form.get('to', ''))}", 303)
    set_cookie(answer, request, PASS_COOKIE, service.tokens.password(service.settings.password))
    return answer


def refuse_uninvited(service: Service, password: str, invitation: str) -> None:
    tokens = service.tokens
    if not invitation:
        if not service.is_password(password):
            raise NotAdmitted("That is not the password.")
    elif not tokens.is_invitation(invitation) or not service.store.use_link(tokens.tag(invitation)):
        raise NotAdmitted("This invitation has been used already, or is too old; ask for another.")


# A second device ---------------------------------------------------------------------------------

@router.get("/sign-in/{link}")
def sign_in_page(request: Request, link: str, service: Serving) -> Response:
    reader(request)
    known = service.tokens.linked(link)
    if known is None:
        raise NotAdmitted("This sign-in link is not from here, or is older than ten minutes.")
    return page(request, "sign_in.html", link=link, name=service.store.visitor(known))


@router.post("/sign-in")
def sign_in(request: Request, service: Serving, form: Form) -> Response:
    refuse_foreign(request, by_header=False)
    service.spend(request, None, "tokens")
    link = form.get("link", "")
    known = service.tokens.linked(link)
    if known is None or not service.store.use_link(service.tokens.tag(link)):
        raise NotAdmitted("This sign-in link has been used already, or is older than ten minutes.")
    answer = RedirectResponse(f"{service.base}/", 303)
    return with_cookie(answer, request, service.tokens.issue(known))


@router.post("/sign-out")
def sign_out(request: Request, service: Serving) -> Response:
    """This browser forgets who it was; a new visitor comes with the next page."""
    refuse_foreign(request, by_header=False)
    answer = RedirectResponse(f"{service.base}/", 303)
    answer.delete_cookie(COOKIE, path=service.base or "/")
    return answer
