// Tooltips: what an icon, a keyword or a card means, and what can or cannot be done there; inside a
// tip other tips can be opened. A tip never lies over an open menu, and never keeps a click to itself.

let tips = null, address = null, more = async () => [];
const open = []; // tips that are shown, the outermost first
const origins = new WeakMap(); // what each of them explains
const EXPLAINED = "[data-tip], [data-place]";
let timer = 0;

// `extra(element)` gives what else is to be said of a thing on the board.
export function startTips(table, extra) {
  if (!table) return;
  if (extra) more = extra;
  address = `${document.documentElement.dataset.base ?? ""}/table/${table}/tips`;
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const at = event.target.closest(EXPLAINED);
    clearTimeout(timer);
    if (at) timer = setTimeout(() => show(at), 350);
    else if (!event.target.closest(".tip")) timer = setTimeout(() => closeFrom(0), 300);
  });
  document.addEventListener("pointerdown", () => clearTimeout(timer));
  document.addEventListener("focusin", (event) => {
    const at = event.target.closest(EXPLAINED);
    if (at && event.target.matches(":focus-visible")) show(at);
    else if (!event.target.closest(".tip")) closeFrom(0);
  });
  document.addEventListener("click", clicked);
  let held = 0, wasHeld = false; // a finger that asks by staying does not choose by leaving
  document.addEventListener("touchstart", (event) => {
    const at = event.target.closest(`${EXPLAINED}, .choices [data-move]`);
    wasHeld = false;
    if (at) held = setTimeout(() => { wasHeld = true; show(at, true); }, 550);
  }, { passive: true });
  document.addEventListener("click", (event) => { if (wasHeld) event.stopImmediatePropagation(); wasHeld = false; }, { capture: true });
  for (const end of ["touchend", "touchmove"]) document.addEventListener(end, () => clearTimeout(held), { passive: true });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeFrom(0);
    const isTyping = event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key.toLowerCase() === "t" && !isTyping) explainNext(event.shiftKey ? -1 : 1);
  });
  document.addEventListener("scroll", () => closeFrom(0), { capture: true, passive: true });
}

function clicked(event) {
  clearTimeout(timer);
  const tip = event.target.closest(".tip");
  const at = event.target.closest(EXPLAINED);
  if (tip && !event.target.closest("a, button")) { // meant for what lies under the tip
    closeFrom(0);
    document.elementFromPoint(event.clientX, event.clientY)?.closest(".live, button, a, summary")?.click();
  } else if (at && !event.target.closest(".live, [data-move]")) show(at, true);
  else if (!tip) closeFrom(0);
}

// For hands that stay on the keyboard: one thing on the board after another.
function explainNext(step) {
  const things = [...document.querySelectorAll("#board [data-tip]")].filter((thing) => thing.getClientRects().length);
  if (!things.length) return;
  const here = things.indexOf(document.activeElement);
  const thing = things[(here < 0 && step < 0 ? things.length - 1 : here + step + things.length) % things.length];
  if (thing.tabIndex < 0) thing.setAttribute("tabindex", "-1");
  thing.scrollIntoView({ block: "nearest", inline: "nearest" });
  setTimeout(() => thing.focus({ preventScroll: true }), 60); // scrolling closes tips
}

async function load() {
  tips ??= fetch(address, { headers: { accept: "application/json" } }).then((answer) => answer.ok ? answer.json() : {}).catch(() => ({}));
  return tips;
}

const isChoosing = () => document.querySelector("#menu:not([hidden])") !== null;
let wanted = null; // what was asked for last: answers come later

async function show(at, isMeant = false) {
  wanted = at;
  const [known, others] = await Promise.all([load(), more(at, isMeant)]);
  const found = known[at.dataset.tip];
  if (wanted !== at || !at.isConnected || isChoosing() || !(found || others.length)) return;
  const parent = at.closest(".tip");
  const depth = parent ? open.indexOf(parent) + 1 : 0;
  if (open[depth] && origins.get(open[depth]) === at) return;
  closeFrom(depth);
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("role", "tooltip");
  tip.id = `tip-${depth}`;
  at.setAttribute("aria-describedby", tip.id);
  origins.set(tip, at);
  if (found) tip.append(Object.assign(document.createElement("strong"), { textContent: found.title }), text(found.text));
  tip.append(...others);
  document.querySelector("main").append(tip); // all that is read lies in a landmark
  place(tip, at);
  open.push(tip);
}

// `[[key|label]]` opens another tip.
function text(written) {
  const paragraph = document.createElement("p");
  for (const part of written.split(/(\[\[[^\]]*\]\])/)) {
    const link = part.match(/^\[\[([^|\]]+)\|([^\]]+)\]\]$/);
    if (!link) { paragraph.append(part); continue; }
    const button = Object.assign(document.createElement("button"), { type: "button", className: "word", textContent: link[2] });
    button.dataset.tip = link[1];
    paragraph.append(button);
  }
  return paragraph;
}

// Above what it explains, since menus open below.
function place(tip, at) {
  const box = at.getBoundingClientRect();
  const above = box.top - tip.offsetHeight - 8;
  const below = Math.min(box.bottom + 8, innerHeight - tip.offsetHeight - 8);
  tip.style.top = `${above >= 8 ? above : Math.max(8, below)}px`;
  tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
}

export function closeTips() {
  wanted = null;
  clearTimeout(timer);
  closeFrom(0);
}

function closeFrom(depth) {
  if (!depth) wanted = null;
  while (open.length > depth) {
    const tip = open.pop();
    origins.get(tip).removeAttribute("aria-describedby");
    tip.remove();
  }
}
