// Tooltips: what an icon, a keyword or a card means; inside a tip other tips can be opened.

let tips = null, address = null;
const open = []; // tips that are shown, the outermost first
const origins = new WeakMap(); // what each of them explains
let timer = 0;

export function startTips(table) {
  if (!table) return;
  address = `${document.documentElement.dataset.base ?? ""}/table/${table}/tips`;
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const at = event.target.closest("[data-tip]");
    clearTimeout(timer);
    if (at) timer = setTimeout(() => show(at), 350);
    else if (!event.target.closest(".tip")) timer = setTimeout(() => closeFrom(0), 300);
  });
  document.addEventListener("focusin", (event) => {
    const at = event.target.closest("[data-tip]");
    if (at && event.target.matches(":focus-visible")) show(at);
    else if (!event.target.closest(".tip")) closeFrom(0);
  });
  document.addEventListener("click", (event) => {
    const at = event.target.closest("[data-tip]");
    const isMove = event.target.closest(".live, [data-move]");
    if (at && !isMove) show(at);
    else if (!event.target.closest(".tip")) closeFrom(0);
  });
  let held = 0;
  document.addEventListener("touchstart", (event) => {
    const at = event.target.closest("[data-tip]");
    if (at) held = setTimeout(() => show(at), 550);
  }, { passive: true });
  for (const end of ["touchend", "touchmove"]) document.addEventListener(end, () => clearTimeout(held), { passive: true });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeFrom(0);
    const isTyping = event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key.toLowerCase() === "t" && !isTyping) explainNext(event.shiftKey ? -1 : 1);
  });
  document.addEventListener("scroll", () => closeFrom(0), { capture: true, passive: true });
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

async function show(at) {
  const found = (await load())[at.dataset.tip];
  if (!found || !at.isConnected) return;
  const parent = at.closest(".tip");
  const depth = parent ? open.indexOf(parent) + 1 : 0;
  if (open[depth]?.dataset.key === at.dataset.tip) return;
  closeFrom(depth);
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.dataset.key = at.dataset.tip;
  tip.setAttribute("role", "tooltip");
  tip.id = `tip-${depth}`;
  at.setAttribute("aria-describedby", tip.id);
  origins.set(tip, at);
  tip.append(Object.assign(document.createElement("strong"), { textContent: found.title }), text(found.text));
  document.body.append(tip);
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

function place(tip, at) {
  const box = at.getBoundingClientRect();
  const below = box.bottom + 8 + tip.offsetHeight < innerHeight;
  tip.style.top = `${below ? box.bottom + 8 : Math.max(8, box.top - tip.offsetHeight - 8)}px`;
  tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
}

function closeFrom(depth) {
  while (open.length > depth) {
    const tip = open.pop();
    origins.get(tip).removeAttribute("aria-describedby");
    tip.remove();
  }
}
