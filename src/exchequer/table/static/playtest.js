// A playtest at the table: what a tester looks up, tries and flags is noted, if they agreed to it;
// the questions are fetched when the game is over. The designer's pages follow what happens.

const $ = (selector, root = document) => root.querySelector(selector);
const bar = $("[data-playtest]");
const AWAY = 60; // seconds without any sign of somebody
const DWELL = 2; // seconds on a paragraph that count as reading it
const things = [];

// What a tester does -----------------------------------------------------------------------------

function note(kind, what = "", more = {}) {
  things.push({ kind, what: String(what), at: performance.now(), ...more });
  if (things.length >= 40) flush();
}

function flush() {
  if (!things.length) return Promise.resolve();
  const now = performance.now();
  const body = JSON.stringify({ things: things.splice(0).map(({ at, ...thing }) => ({ ...thing, ago: (now - at) / 1000 })) });
  return fetch(`${bar.dataset.playtest}/noted`, {
    method: "POST", keepalive: true, headers: { "content-type": "application/json", accept: "application/json" }, body,
  }).catch(() => null);
}

function flag(what) {
  note("flag", what);
  flush();
  const said = what === "great" ? "Noted: this was great." : "Noted: this is not clear.";
  const toast = Object.assign(document.createElement("div"), { className: "toast", textContent: said });
  $("#toasts").replaceChildren(toast);
  setTimeout(() => toast.remove(), 4000);
}

// Which paragraph is being read, second by second.
let reading = "", dwelt = 0;

function look() {
  const body = $("#rules[open] .body");
  const box = body?.getBoundingClientRect();
  const place = box && document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height, innerHeight) / 3);
  const entry = place?.closest(".rule, .things li");
  const id = entry ? entry.id || $("[id]", entry)?.id || "" : "";
  dwelt = id && id === reading ? dwelt + 1 : 0;
  reading = id;
  if (dwelt === DWELL) note("rules", id);
}

let seen = performance.now(), hidden = document.hidden ? performance.now() : 0;

function alive() {
  const now = performance.now();
  if (now - seen > AWAY * 1000 && !hidden) note("idle", "still", { seconds: (now - seen) / 1000 });
  seen = now;
}

function turned() {
  const now = performance.now();
  if (document.hidden) { hidden = now; flush(); return; }
  if (hidden) note("idle", "elsewhere", { seconds: (now - hidden) / 1000 });
  hidden = 0;
  seen = now;
}

function record() {
  document.addEventListener("looked", ({ detail }) => note(detail.kind, detail.what, detail.cites?.length ? { cites: detail.cites } : {}));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-flag]");
    if (button) flag(button.dataset.flag);
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "!") flag("great");
    if (event.key === "?") flag("unclear");
  });
  for (const sign of ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"]) addEventListener(sign, alive, { passive: true });
  document.addEventListener("visibilitychange", turned);
  addEventListener("pagehide", flush);
  setInterval(flush, 4000);
  setInterval(look, 1000);
}

// The questions ----------------------------------------------------------------------------------

let asked = false;

async function ask() {
  const place = $("[data-questions]", bar);
  const isOver = $(".end:not([hidden])") !== null || Number($("#table").dataset.seat) < 0;
  if (asked || !isOver) return;
  asked = true;
  const answer = await fetch(`${bar.dataset.playtest}/form`, { headers: { accept: "text/html" } }).catch(() => null);
  if (answer?.status === 200) place.innerHTML = await answer.text();
  else asked = false;
}

if (bar && "recorded" in bar.dataset) {
  record();
  ask();
  new MutationObserver(ask).observe($("main"), { childList: true, subtree: true });
}

// The designer -----------------------------------------------------------------------------------

async function follow(place, path) {
  const answer = document.hidden ? null : await fetch(path, { headers: { accept: "text/html" } }).catch(() => null);
  if (answer?.ok) place.innerHTML = await answer.text();
  setTimeout(follow, 5000, place, path);
}

const live = $("[data-playtest-live]");
if (live) setTimeout(follow, 5000, live, live.dataset.playtestLive);
if ($("[data-watch]")) setInterval(() => { if (!document.hidden) location.reload(); }, 6000);
$("[data-print]")?.addEventListener("click", () => print());

// A note belongs to the moment that is shown.
const moment = $("#replay .moments [name=frame]");
if (moment) {
  const bar = $("#replay input[type=range]");
  new MutationObserver(() => { moment.value = bar.value; }).observe($("#replay output"), { childList: true, characterData: true, subtree: true });
}
