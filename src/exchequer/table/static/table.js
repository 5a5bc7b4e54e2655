// The table in the browser: sends what a person does, shows what the server sends.
// The server draws everything; this module swaps regions, and never decides what is legal.

import { startTips } from "./tips.js";
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
let socket, retry = 500, pending = false;

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

async function play(action) {
  if (pending) return;
  closeMenu();
  pending = true;
  const answer = await send(api("play"), { seat, action, version });
  pending = false;
  if (answer.error === "stale") connect();
}

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
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const address = `${scheme}://${location.host}${base}/table/${table.dataset.table}/stream`;
  const pinned = "pinned" in table.dataset ? "&pinned=1" : "";
  socket = new WebSocket(`${address}?seat=${seat}&have=${digest}${pinned}`);
  socket.onopen = () => { retry = 500; $("#connection").hidden = true; chatSeen = false; };
  socket.onmessage = (event) => update(JSON.parse(event.data));
  socket.onclose = (event) => {
    $("#connection").hidden = false;
    if (event.code === 1008) { $("#connection").textContent = event.reason || "The stream was closed."; return; }
    setTimeout(connect, retry);
    retry = Math.min(retry * 2, 10000);
  };
}

let chatSeen = false;

function update(message) {
  if (message.seat !== undefined) seat = message.seat;
  if (message.version !== undefined) version = message.version;
  if (message.digest) digest = message.digest;
  if (message.log) showLog($("#log"), message.log);
  if (message.chat) showChat(message.chat);
  if (message.watching) $("#watching").textContent = message.watching > 1 ? `${message.watching} pages open` : "";
  if ("curtain" in message) showCurtain(message.curtain);
  const mine = message.asked !== null && message.asked === seat;
  document.title = `${mine ? "● " : ""}${table.dataset.title} · Exchequer`;
  if (message.regions) swap(() => { applyRegions(message.regions); table.dataset.moment = digest; });
}

function applyRegions(regions) {
  const focused = document.activeElement?.dataset?.spot;
  if (regions.frame) applyFrame($("#board"), regions.frame);
  for (const [name, html] of Object.entries(regions)) {
    if (name === "frame") continue;
    if (name === "board") { applyBoard($("#board"), html); continue; }
    const old = $(`[data-region="${CSS.escape(name)}"]`);
    if (old) replaceRegion(old, name, html);
  }
  closeMenu();
  if (focused) $(`[data-spot="${CSS.escape(focused)}"]`)?.focus();
  tick();
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
  for (const [name, text, at, role] of messages) {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("b"), { textContent: name }));
    if (role === "spectator") item.append(Object.assign(document.createElement("small"), { textContent: " (spectator)" }));
    item.append(` ${text}`);
    item.title = new Date(at * 1000).toLocaleString();
    list.append(item);
  }
  list.scrollTop = list.scrollHeight;
}

function showCurtain(next) {
  const curtain = $("#curtain");
  curtain.hidden = next === null;
  if (next === null) return;
  $("p", curtain).textContent = `Hand the screen over: it is seat ${next + 1}'s move.`;
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

function choose(spot) {
  const actions = spot.dataset.moves.split(" ").map(Number);
  if (actions.length === 1) { play(actions[0]); return; }
  menu.replaceChildren(...actions.map((action) => {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("role", "menuitem");
    button.dataset.move = action;
    button.textContent = words(action);
    return button;
  }));
  menu.hidden = false;
  const box = spot.getBoundingClientRect();
  const top = Math.min(box.bottom + 6, innerHeight - menu.offsetHeight - 8);
  const left = Math.min(box.left, innerWidth - menu.offsetWidth - 8);
  menu.style.top = `${Math.max(8, top)}px`;
  menu.style.left = `${Math.max(8, left)}px`;
  menu.firstChild.focus();
}

function closeMenu() { if (menu) menu.hidden = true; }

async function hint() {
  const box = $(".ideas");
  if (!box || $("[data-hint]")?.disabled) return;
  box.textContent = "Thinking …";
  const answer = await send(api("hint"), { seat });
  if (answer.error) { box.textContent = ""; return; }
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
  list.replaceChildren(...(found.length ? found : [{ move: text, sentence: "Nothing of that name is asked for now, or it can be done." }]).map(({ move, sentence, paragraphs = [] }) => {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("b"), { textContent: move }), " ", ...citing(sentence, paragraphs));
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
  openPart(part);
}

// Everything that is clicked --------------------------------------------------------------------

document.addEventListener("click", async (event) => {
  const at = (selector) => event.target.closest(selector);
  let found;
  if ((found = at("[data-move]"))) play(Number(found.dataset.move));
  else if ((found = at(".live[data-moves]"))) choose(found);
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
  if (!form.dataset.post) return;
  event.preventDefault();
  const answer = await send(form.dataset.post, Object.fromEntries(new FormData(form)));
  if (!answer.error && "clear" in form.dataset) form.reset();
  if (!answer.error && form.matches(".rename")) $("input", form).blur();
});

$(".rename input")?.addEventListener("change", (event) => event.target.form.requestSubmit());

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { closeMenu(); $("#rules")?.close(); return; }
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
    const list = menu && !menu.hidden ? [...menu.children] : [...document.querySelectorAll('[data-region="moves"] ol [data-move]')];
    list[Number(event.key) - 1]?.click();
  } else if (event.key === "u") $("[data-undo]")?.click();
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

startTips(table?.dataset.table ?? $("#replay")?.dataset.table);
if (table) {
  connect();
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
