// The table in the browser: sends what a person does, shows what the server sends.
// The server draws everything; this module swaps regions, and never decides what is legal.

import { closeTips, startTips } from "./tips.js";
import { startDeals } from "./deals.js";
import { foreseen, looked, refused, saidOf, startForesight } from "./foresight.js";
import { startReplay } from "./replay.js";
import { startRules } from "./rules.js";
import { showLog } from "./story.js";
import { applyBoard, applyFrame, swap } from "./swap.js";

const $ = (selector, root = document) => root.querySelector(selector);
const table = $("#table");
let version = table?.dataset.version ?? "";
let seat = Number(table?.dataset.seat ?? -1);
let digest = table?.dataset.digest ?? "";
const base = document.documentElement.dataset.base ?? "";
let socket, retry = 500;
let sent = null; // the version of the screen whose move is on its way
let isOwn = false, lastAsked = null; // whether the next change follows from what was done here, and whose move it was

// Talking to the server -------------------------------------------------------------------------

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body ?? {}),
  }).catch(() => null);
  if (!answer) return { error: "offline", sentence: "The server does not answer; try again." };
  return answer.json();
}

async function send(path, body) {
  const answer = await post(path, body);
  if (answer.error) say(answer.sentence, answer.paragraphs);
  return answer;
}

const api = (what) => `${base}/api/v1/tables/${table.dataset.table}/${what}`;

async function get(path) {
  const answer = await fetch(`${api(path)}${path.includes("?") ? "&" : "?"}seat=${seat}`, { headers: { accept: "application/json" } });
  return answer.json();
}

async function move(path, body) {
  if (sent === version) return; // a second click on the same screen
  closeMenu();
  const on = sent = version;
  isOwn = true;
  table.classList.add("sending");
  const answer = await send(api(path), { seat, version, ...body });
  if (sent === on) {
    sent = null;
    table.classList.remove("sending");
  }
  if (answer.error === "stale") connect();
}

const play = (action) => move("play", { action });

function say(sentence, paragraphs = []) {
  const toast = document.createElement("div");
  toast.className = "toast";
  const text = document.createElement("p");
  text.append(...citing(sentence, paragraphs));
  toast.append(text);
  $("#toasts").replaceChildren(toast);
  setTimeout(() => toast.remove(), 9000);
}

// A sentence whose paragraphs open the rules beside the board.
function citing(sentence, paragraphs) {
  const cited = table ? paragraphs : [];
  const parts = sentence.split(/([\w-]+)/);
  return parts.map((part) => (cited.includes(part)
    ? Object.assign(document.createElement("a"), { href: `#${part}`, className: "paragraph", textContent: part }) : part));
}

// The stream ------------------------------------------------------------------------------------

function connect() {
  if (socket) { socket.onclose = null; socket.close(); }
  waiting.length = 0;
  showSteps();
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const address = `${scheme}://${location.host}${base}/table/${table.dataset.table}/stream`;
  const pinned = "pinned" in table.dataset ? "&pinned=1" : "";
  socket = new WebSocket(`${address}?seat=${seat}&have=${digest}${pinned}`);
  socket.onopen = () => { retry = 500; $("#connection").hidden = true; chatSeen = false; };
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = (event) => {
    $("#connection").hidden = false;
    if (event.code === 1008) { $("#connection").textContent = event.reason || "The stream was closed."; return; }
    setTimeout(connect, retry);
    retry = Math.min(retry * 2, 10000);
  };
}

let chatSeen = false;

// What others do can be followed step by step: each change waits until it is asked for.
const waiting = [];
let isSkipping = false; // until it is one's own move
const isFollowing = () => $("#steps input")?.checked ?? false;

function receive(message) {
  const isTheirs = message.regions && !isOwn && lastAsked !== null && lastAsked !== seat;
  if (waiting.length || (isTheirs && isFollowing() && !isSkipping)) { waiting.push(message); showSteps(); }
  else update(message);
}

function showSteps() {
  $("#steps .next").hidden = !waiting.length;
  $("#steps .next b").textContent = waiting.length;
}

function nextStep() {
  if (waiting.length) update(waiting.shift());
  showSteps();
}

// On with it: what waits here is shown, and the bots wait no longer.
function skip() {
  isSkipping = true;
  while (waiting.length) update(waiting.shift());
  showSteps();
  if (lastAsked !== seat && socket?.readyState === 1) socket.send(JSON.stringify({ hurry: true }));
}

function update(message) {
  if (message.seat !== undefined) seat = message.seat;
  if (message.version !== undefined) table.dataset.version = version = message.version;
  if (message.digest) digest = message.digest;
  if (message.log) showLog($("#log"), message.log);
  if (message.chat) showChat(message.chat);
  if (message.watching) $("#watching").textContent = message.watching > 1 ? `${message.watching} pages open` : "";
  if ("curtain" in message) showCurtain(message.curtain);
  const mine = message.asked !== null && message.asked === seat;
  document.title = `${mine ? "● " : ""}${table.dataset.title} · Exchequer`;
  if (message.regions) {
    table.dataset.by = lastAsked;
    swap(() => { applyRegions(message.regions); table.dataset.moment = digest; }, !isOwn);
    isOwn = false;
  }
  if ("asked" in message) lastAsked = message.asked;
  if (lastAsked === seat) isSkipping = false;
  table.classList.toggle("theirs", lastAsked !== null && lastAsked !== seat);
}

function applyRegions(regions) {
  const focused = placeOf(menu?.contains(document.activeElement) ? chosenAt : document.activeElement);
  if (regions.frame) applyFrame($("#board"), regions.frame);
  for (const [name, html] of Object.entries(regions)) {
    if (name === "frame") continue;
    if (name === "board") { applyBoard($("#board"), html); continue; }
    const old = $(`[data-region="${CSS.escape(name)}"]`);
    if (old) replaceRegion(old, name, html);
  }
  closeMenu();
  closeTips();
  if (!document.activeElement || document.activeElement === document.body) focusAgain(focused);
  light(null);
  tick();
  dock();
}

// On a phone the question stands on the bar of moves, however high that is.
const height = table && new ResizeObserver(([bar]) => table.style.setProperty("--bar", `${bar.target.offsetHeight}px`));

function dock() {
  height.disconnect();
  height.observe($("#moves"));
}

// Where the focus is, as selectors that will find the same place, or one near it, in what comes next.
function placeOf(element) {
  const region = element?.closest?.("[data-region]")?.dataset.region;
  if (!region) return [];
  const within = `[data-region="${CSS.escape(region)}"]`;
  const { spot, move: action } = element.dataset;
  const same = spot ? [`[data-spot="${CSS.escape(spot)}"]`] : action ? [`${within} [data-move="${action}"]`]
    : ["undo", "hint"].filter((what) => what in element.dataset).map((what) => `${within} [data-${what}]:not(:disabled)`);
  return [...same, ...(region === "moves" || spot ? [".choices [data-move]", "#moves"] : [within])];
}

function focusAgain(selectors) {
  const found = selectors.map((selector) => $(selector)).find(Boolean);
  if (found && found.tabIndex < 0 && !found.hasAttribute("tabindex")) found.setAttribute("tabindex", "-1");
  found?.focus({ preventScroll: true });
}

// What a person has unfolded or scrolled in a region stays so.
function replaceRegion(old, name, html) {
  const unfolded = [...old.querySelectorAll("details")].map((part) => part.open);
  const scrolled = [...old.querySelectorAll(".hand, .events, .places")].map((part) => part.scrollLeft);
  old.outerHTML = html;
  const fresh = $(`[data-region="${CSS.escape(name)}"]`);
  fresh?.querySelectorAll("details").forEach((part, i) => { part.open ||= unfolded[i] ?? false; });
  fresh?.querySelectorAll(".hand, .events, .places").forEach((part, i) => { part.scrollLeft = scrolled[i] ?? 0; });
}

function showChat(messages) {
  const list = $("#chat");
  if (!chatSeen) list.replaceChildren();
  chatSeen = true;
  for (const [name, text, at, role, reader] of messages) {
    const item = document.createElement("li");
    if (text === null) { overheard(list, item, name, reader); continue; }
    item.append(Object.assign(document.createElement("b"), { textContent: name }));
    if (role === "spectator") item.append(Object.assign(document.createElement("small"), { textContent: " (spectator)" }));
    if (reader) item.append(Object.assign(document.createElement("small"), { textContent: ` to ${reader}, in private` }));
    item.append(` ${text}`);
    item.title = new Date(at * 1000).toLocaleString();
    list.append(item);
  }
  list.scrollTop = list.scrollHeight;
}

// That two talk in private is seen once, however much they say.
function overheard(list, item, name, reader) {
  const pair = [name, reader].sort().join(" ");
  if (list.lastElementChild?.dataset.pair === pair) return;
  item.dataset.pair = pair;
  item.className = "quiet";
  item.textContent = `${name} and ${reader} talk in private.`;
  list.append(item);
}

// Whoever has sat down meanwhile is among those one can talk to.
$(".chat select")?.addEventListener("focus", ({ target }) => {
  for (const option of target.options) {
    const name = $(`.seats li:nth-child(${Number(option.value) + 1}) .name`)?.firstChild.textContent.trim();
    if (option.value >= 0 && name) option.textContent = `in private: ${name}`;
  }
});

function showCurtain(next) {
  const curtain = $("#curtain");
  curtain.hidden = next === null;
  if (next === null) return;
  $("p", curtain).textContent = `Hand the screen over to ${$(`.seats li:nth-child(${next + 1}) .name`)?.firstChild.textContent.trim() ?? `seat ${next + 1}`}.`;
  const button = $("button", curtain);
  button.textContent = `I sit in seat ${next + 1}`;
  button.onclick = () => { curtain.hidden = true; socket.send(JSON.stringify({ sit: next })); };
  button.focus();
}

// Moves -----------------------------------------------------------------------------------------

const menu = $("#menu");

function words(action) {
  const button = $(`[data-region="moves"] [data-move="${action}"]`);
  return button ? button.lastChild.textContent.trim() : `Move ${action}`;
}

let chosenAt = null; // the spot whose menu is open

// A finger cannot hover, so that its first tap says what would happen and the second does it.
function choose(spot, isTap = false) {
  const actions = spot.dataset.moves.split(" ").map(Number);
  if (actions.length === 1 && !isTap) { play(actions[0]); return; }
  closeTips();
  chosenAt = spot;
  menu.replaceChildren(...actions.map((action) => menuItem(action, isTap)));
  menu.hidden = false;
  const box = spot.getBoundingClientRect();
  const top = Math.min(box.bottom + 6, innerHeight - menu.offsetHeight - 8);
  const left = Math.min(box.left, innerWidth - menu.offsetWidth - 8);
  menu.style.top = `${Math.max(8, top)}px`;
  menu.style.left = `${Math.max(8, left)}px`;
  menu.firstChild.focus({ preventScroll: true });
}

function menuItem(action, isTap) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: words(action) });
  button.setAttribute("role", "menuitem");
  button.dataset.move = action;
  if (isTap) foreseen(action).then((parts) => button.append(...parts));
  return button;
}

function closeMenu() {
  if (!menu || menu.hidden) return;
  const hadFocus = menu.contains(document.activeElement);
  menu.hidden = true;
  if (hadFocus) chosenAt?.focus({ preventScroll: true });
}

// The list and the board light each other up, and below the list stands what the move would change.
let pointed = null, pause = 0;

function light(action) {
  if (action === pointed) return;
  pointed = action;
  clearTimeout(pause);
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  $(".foresight")?.replaceChildren();
  if (action === null) return;
  for (const one of document.querySelectorAll(`#board [data-moves~="${action}"], .choices [data-move="${action}"]`)) one.classList.add("lit");
  pause = setTimeout(async () => {
    const parts = await foreseen(action);
    if (pointed === action) $(".foresight")?.replaceChildren(...parts);
  }, 120);
}

function pointAt(event) {
  if (event.pointerType === "touch" || (event.type === "focusin" && !event.target.matches(":focus-visible"))) return;
  const listed = event.target.closest(".choices [data-move], #menu [data-move], .ideas [data-move]");
  const spot = event.target.closest("#board .live[data-moves]");
  const actions = spot?.dataset.moves.split(" ") ?? [];
  if (listed) light(listed.dataset.move);
  else if (actions.length === 1) light(actions[0]);
  else {
    light(null);
    for (const action of actions) $(`.choices [data-move="${action}"]`)?.classList.add("lit");
  }
}

// The end of the turn: asks once when something useful is left.
function endTurn(button) {
  const sure = $(".sure");
  const isWanted = button.classList.contains("wanted"); // by a lesson
  if (!button.dataset.unfinished || isWanted || !sure.hidden) { play(Number(button.dataset.move)); return; }
  sure.hidden = false;
  $("[data-end-anyway]", sure).focus({ preventScroll: true });
}

async function enter(form) {
  const field = $("input", form);
  await move("amount", { number: Math.trunc(Number(field.value)) });
}

function stepAmount(button) {
  const field = $("input", button.form);
  const way = Number(button.dataset.by);
  field.value = Math.max(Number(field.min), Math.min(Number(field.max), Number(field.value || 0) + way));
  field.focus();
}

async function hint() {
  const box = $(".ideas");
  if (!box || $("[data-hint]")?.disabled) return;
  box.textContent = "Thinking …";
  const answer = await send(api("hint"), { seat });
  if (answer.error) { box.textContent = ""; return; }
  looked("hint");
  const list = document.createElement("ol");
  const searched = answer.line.length > 0;
  for (const idea of answer.ideas.slice(0, 4)) {
    const item = document.createElement("li");
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: idea.words });
    button.dataset.move = idea.action;
    const share = searched ? `${Math.round(idea.share * 100)} % of its thought, ` : "";
    item.append(button, Object.assign(document.createElement("small"), { textContent: ` ${share}worth ${Math.round(idea.value * 100)} of 100` }));
    list.append(item);
  }
  box.replaceChildren(Object.assign(document.createElement("p"), { textContent: `A bot (${answer.bot}) would weigh:` }), list);
  if (answer.notice) box.append(Object.assign(document.createElement("p"), { className: "quiet", textContent: answer.notice }));
}

function undo(whole) { send(api("undo"), { seat, version, whole_turn: whole }); }

async function why(form) {
  const text = new FormData(form).get("text");
  const answer = await fetch(`${api("why")}?seat=${seat}&text=${encodeURIComponent(text)}`, { headers: { accept: "application/json" } });
  const found = await answer.json();
  const list = $(".why .answers");
  if (found.error) { say(found.sentence); return; }
  looked("why", text, found.flatMap((one) => one.paragraphs ?? []));
  list.replaceChildren(...(found.length ? found : [{ words: text, sentence: "Nothing of that name is asked for now, or it can be done." }]).map(({ words, sentence, paragraphs = [] }) => {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("b"), { textContent: words }), " ", ...citing(sentence, paragraphs));
    return item;
  }));
}

// Rules -----------------------------------------------------------------------------------------

let openPart;

async function openRules(part) {
  const dialog = $("#rules");
  const body = $(".body", dialog);
  if (!openPart) {
    const answer = await fetch(`${base}/table/${table.dataset.table}/rules`, { headers: { accept: "text/html" } });
    body.innerHTML = await answer.text();
    openPart = startRules($(".rules", body));
  }
  if (!dialog.open) dialog.show();
  looked("rules", part ?? "");
  openPart(part);
}

// Everything that is clicked --------------------------------------------------------------------

document.addEventListener("click", async (event) => {
  const at = (selector) => event.target.closest(selector);
  let found;
  if ((found = at("[data-end]"))) endTurn(found);
  else if (at("[data-end-anyway]")) endTurn($("[data-end]"));
  else if (at("[data-keep-playing]")) { $(".sure").hidden = true; $("[data-end]").focus(); }
  else if ((found = at("[data-move]"))) play(Number(found.dataset.move));
  else if ((found = at(".live[data-moves]"))) choose(found, event.pointerType === "touch");
  else if ((found = at("[data-by].step"))) stepAmount(found);
  else if (at("[data-all-moves]")) $("#moves").classList.toggle("whole");
  else if (at("[data-next]")) nextStep();
  else if (at("[data-skip]")) skip();
  else if ((found = at("[data-try]"))) play(Number(found.dataset.try));
  else if ((found = at("[data-undo]"))) undo(found.dataset.undo === "turn");
  else if (at("[data-hint]")) hint();
  else if (at("[data-rules]")) openRules();
  else if (at("[data-close]")) found = at("dialog").close();
  else if ((found = at(".rules a[href^='#'], a.paragraph"))) { if (table) event.preventDefault(); (table ? openRules : openPart)(found.hash.slice(1)); }
  else if (at("[data-copy-link]")) copy(location.href.split("#")[0]);
  else if (at("[data-theme-switch]")) switchTheme();
  else if (at("[data-sign-in-link]")) showSignInLink();
  else if ((found = at("button[data-post]"))) await press(found);
  else if (!at("#menu")) closeMenu();
});

async function showSignInLink() {
  const answer = await send(`${base}/api/v1/link`);
  if (!answer.error) copy(location.origin + answer.path);
}

async function press(button) {
  if (button.dataset.sure && !confirm(button.dataset.sure)) return;
  const answer = await send(button.dataset.post, JSON.parse(button.dataset.body ?? "{}"));
  if (answer.error) return;
  if ("go" in button.dataset) location.href = `${base}/table/${answer.id}`;
  if ("reload" in button.dataset) location.reload();
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.matches("[data-why]")) { event.preventDefault(); why(form); return; }
  if (form.matches("[data-amount]")) { event.preventDefault(); enter(form); return; }
  if (!form.dataset.post) return;
  event.preventDefault();
  const answer = await send(form.dataset.post, Object.fromEntries(new FormData(form)));
  if (!answer.error && "clear" in form.dataset) $("input", form).value = ""; // to whom it goes stays
  if (!answer.error && form.matches(".rename")) $("input", form).blur();
});

$(".rename input")?.addEventListener("change", (event) => event.target.form.requestSubmit());

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    closeMenu();
    $("#rules")?.close();
    if ($(".sure:not([hidden])")) $("[data-keep-playing]").click();
    return;
  }
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if ((event.key === "Enter" || event.key === " ") && event.target.matches?.(".live[data-moves]")) {
    event.preventDefault();
    choose(event.target);
  }
  if (!table) return;
  if (menu && !menu.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    const items = [...menu.children];
    const step = event.key === "ArrowDown" ? 1 : items.length - 1;
    items[(items.indexOf(document.activeElement) + step) % items.length].focus();
    return;
  }
  if (/^[1-9]$/.test(event.key)) {
    const list = menu && !menu.hidden ? [...menu.children] : [...document.querySelectorAll(".choices ol [data-move]")];
    list[Number(event.key) - 1]?.click();
  } else if (event.key === "e") $("[data-end]")?.click();
  else if (event.key === "u") $("[data-undo]")?.click();
  else if (event.key === "h") hint();
  else if (event.key === "r") openRules();
});

// Small things ----------------------------------------------------------------------------------

function copy(text) {
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => say("The link is copied."), () => say(text));
  else say(text);
}

function switchTheme() {
  const dark = getComputedStyle(document.documentElement).colorScheme.includes("dark")
    && (document.documentElement.dataset.theme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches));
  const theme = dark ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
}

function tick() {
  for (const clock of document.querySelectorAll("[data-due]")) {
    const left = Math.max(0, Math.round((Number(clock.dataset.due) - Date.now()) / 1000));
    const shown = left > 5400 ? `${Math.round(left / 3600)} hours` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.lastElementChild.textContent = shown;
    clock.classList.toggle("short", left <= 10);
  }
}

$("[data-count]")?.addEventListener("change", (event) => {
  for (const field of document.querySelectorAll("[data-seat]")) field.hidden = Number(field.dataset.seat) >= Number(event.target.value);
});

startForesight({ get, citing, moment: () => `${seat} ${digest}` });
startTips(table?.dataset.table ?? $("#replay")?.dataset.table, table && saidOf);
if (table) {
  connect();
  dock();
  startDeals((path, terms) => post(api(path), { seat, ...terms }), move);
  document.addEventListener("pointerover", pointAt);
  document.addEventListener("focusin", pointAt);
  document.addEventListener("toggle", async (event) => {
    if (event.target.matches(".refused[data-load][open]")) {
      const lines = await refused();
      $("ul", event.target).replaceChildren(...(lines.length ? lines : ["Everything that is asked for can be done."]));
    }
  }, { capture: true });
  const captions = $("[data-captions]");
  captions.checked = localStorage.getItem("captions") !== "no";
  document.documentElement.classList.toggle("no-captions", !captions.checked);
  captions.addEventListener("change", () => {
    localStorage.setItem("captions", captions.checked ? "yes" : "no");
    document.documentElement.classList.toggle("no-captions", !captions.checked);
  });
  $("#steps input").checked = localStorage.getItem("step-by-step") === "yes";
  $("#steps input").addEventListener("change", (event) => {
    localStorage.setItem("step-by-step", event.target.checked ? "yes" : "no");
    if (!event.target.checked) skip();
  });
  setInterval(tick, 500);
  addEventListener("online", connect);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && socket?.readyState > 1) connect(); });
}
if (!table && $(".rules")) {
  openPart = startRules($(".rules"));
  addEventListener("hashchange", () => openPart(location.hash.slice(1)));
  openPart(location.hash.slice(1));
}
if ($("#replay")) startReplay($("#replay"), copy);
