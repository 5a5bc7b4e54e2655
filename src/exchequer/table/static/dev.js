// The workshop: seats side by side in frames, and a drawer that follows what the server knows.

const $ = (selector) => document.querySelector(selector);
const base = document.documentElement.dataset.base ?? "";
let shown = { version: "", look: -1, table: null, seats: [] };

async function post(path, body) {
  const answer = await fetch(`${base}/dev/${path}`, {
    method: "POST", headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  const found = answer ? await answer.json() : { error: "offline", sentence: "The server does not answer." };
  if (found.error) say(found.sentence);
}

function say(sentence) {
  const toast = made("div", "toast", made("p", "", sentence));
  $("#toasts").replaceChildren(toast);
  setTimeout(() => toast.remove(), 9000);
}

function made(tag, className, ...inside) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...inside);
  return element;
}

// What the server knows -------------------------------------------------------------------------

async function follow() {
  for (;;) {
    const answer = await fetch(`${base}/dev/news?have=${shown.version}`, { headers: { accept: "application/json" } }).catch(() => null);
    if (answer?.ok) {
      const now = await answer.json();
      if (now.version !== shown.version) show(now); // else what is being clicked would be drawn anew
    } else await new Promise((done) => setTimeout(done, 700));
  }
}

function show(now) {
  showProblems(now.problems);
  $("#notice").hidden = !now.notice;
  $("#notice").textContent = now.notice;
  if (now.table) {
    showSeats(now);
    showDrawer(now);
  }
  shown = { ...shown, ...now };
  document.body.dataset.version = now.version;
}

function showProblems(problems) {
  $("#problems").hidden = !problems.length;
  $("#problems").replaceChildren(...problems.map((problem) => {
    const card = made("article", "problem", made("p", "", problem.sentence));
    if (problem.file) card.prepend(made("code", "place", `${problem.file}:${problem.line}`));
    if (problem.source) card.append(made("pre", "", problem.source));
    if (problem.text) card.append(made("blockquote", "", problem.text));
    return card;
  }));
}

// A frame is loaded anew only when the look has changed; everything else reaches it by its stream.
function showSeats(now) {
  if (now.table === shown.table && now.look === shown.look && now.seats.length === shown.seats.length) return;
  $("#seats").replaceChildren(...now.seats.map((name, seat) => {
    const frame = document.createElement("iframe");
    frame.src = `${base}/table/${now.table}?seat=${seat}`;
    frame.title = `${name}'s seat`;
    return made("figure", "", frame, made("figcaption", "", name));
  }));
  if ($("#seat-count")) $("#seat-count").value = now.seats.length;
}

function showDrawer(now) {
  $("#compiled").textContent = now.compiled;
  $("#moment").textContent = `${now.moves} of ${now.total}`;
  Object.assign($("#travel"), { max: now.total, value: now.moves });
  $("#asked").textContent = now.asked === null ? "the game is over" : `${now.seats[now.asked]} is asked`;
  $("#question").textContent = now.question;
  showMoves(now.legal);
  $("#agenda").replaceChildren(...now.agenda.map(({ what, seat, a, b }) => made("li", "", made("b", "", what), ` ${seat} (${a}, ${b})`)));
  $("#dev-log").replaceChildren(...now.log.filter((line) => line.length > 1).map(([moment, ...sentences]) => {
    const button = made("button", "plain", sentences.join(" "));
    button.type = "button";
    button.dataset.devJump = moment;
    return made("li", "", button);
  }));
  $("#dev-log").scrollTop = $("#dev-log").scrollHeight;
  showTree($("#state"), now.state);
  showTree($("#sees"), now.sees);
}

// Buttons stay as long as the moves do: whatever else is new, a click or a key that is under way finds them.
function showMoves(legal) {
  if (JSON.stringify(legal) === JSON.stringify(shown.legal)) return;
  const held = document.activeElement?.dataset.devPlay;
  $("#legal").replaceChildren(...legal.map(({ action, text, words }) => {
    const button = made("button", "", words, " ", made("code", "", text));
    button.type = "button";
    button.dataset.devPlay = action;
    return made("li", "", button);
  }));
  if (held) $(`[data-dev-play="${held}"]`)?.focus();
}

// Trees that stay unfolded where somebody has unfolded them -------------------------------------

function showTree(place, value) {
  const open = new Set([...place.querySelectorAll("details[open]")].map((part) => part.dataset.path));
  place.replaceChildren(...branches(value, "", open));
}

function branches(value, path, open) {
  return Object.entries(value).map(([key, inner]) => {
    const here = `${path}/${key}`;
    if (inner === null || typeof inner !== "object") return made("p", "", made("span", "key", key), ` ${inner}`);
    const flat = Array.isArray(inner) && inner.every((one) => one === null || typeof one !== "object");
    if (flat && inner.length <= 24) return made("p", "", made("span", "key", key), ` [${inner.join(", ")}]`);
    const part = made("details", "", made("summary", "key", `${key} `, made("small", "", size(inner))));
    part.dataset.path = here;
    part.open = open.has(here);
    part.append(...branches(inner, here, open));
    return part;
  });
}

const size = (value) => Array.isArray(value) ? `[${value.length}]` : "";

// What is clicked -------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  const at = (selector) => event.target.closest(selector);
  let found;
  if ((found = at("[data-dev-play]"))) post("play", { action: Number(found.dataset.devPlay) });
  else if ((found = at("[data-dev-jump]"))) post("jump", { moves: Number(found.dataset.devJump) });
  else if ((found = at("[data-dev-step]"))) step(Number(found.dataset.devStep));
  else if (at("[data-dev-new]")) post("new", {});
  else if ((found = at("[data-dev-drawer]"))) found.setAttribute("aria-expanded", String(!document.body.classList.toggle("no-drawer")));
  else if (at("[data-dev-phones]")) $("#phones").showModal();
});

function step(by) {
  const moves = Math.min(Math.max(shown.moves + by, 0), shown.total);
  if (moves !== shown.moves) post("jump", { moves });
}

$("#travel").addEventListener("change", (event) => post("jump", { moves: Number(event.target.value) }));
$("#seat-count")?.addEventListener("change", (event) => post("new", { seats: Number(event.target.value) }));
follow();
