// Swapping what has changed on the board, so that one sees it: pieces go from their old place to the new one,
// numbers say by how much they changed, and both stay marked until the reader's next move. Nothing else moves.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const MOST = 120; // pieces that move at once; more is a new board
const COINS = 5; // that fly from one number to another, however much it was
const NUMBER = /^[+x\u2212-]?\d[\d,]*(c| %)?$/;
const marked = new Set(); // keys of what has changed

export function swap(change, keepsMarks = false) {
  const before = look();
  change();
  if (!keepsMarks) marked.clear();
  const now = look();
  const isNew = !before.pieces.size && !before.numbers.size;
  if (!isNew) tellApart(before, now);
  for (const [key, { element }] of [...now.pieces, ...now.numbers]) element.classList.toggle("changed", marked.has(key));
}

// Every piece and number on the board by a key that outlives its element.
function look() {
  const board = document.querySelector("#board");
  const pieces = new Map(), numbers = new Map();
  for (const element of board.querySelectorAll("[data-piece]")) {
    pieces.set(`piece ${element.dataset.piece}`, { element, box: element.getBoundingClientRect(), region: regionOf(element) });
  }
  for (const element of board.querySelectorAll("b, .figure")) {
    const text = element.textContent.trim();
    if (element.childElementCount || !NUMBER.test(text)) continue;
    let key = `${regionOf(element)} ${nameOf(element)}`;
    while (numbers.has(key)) key += "'";
    numbers.set(key, { element, value: Number(text.replace(/\u2212/, "-").replace(/[^\d-]/g, "")) });
  }
  return { pieces, numbers };
}

const regionOf = (element) => element.closest("[data-region]")?.dataset.region ?? "";

function nameOf(element) {
  const explained = element.closest("[data-tip]");
  return explained?.dataset.tip ?? element.parentElement.firstChild.textContent.trim();
}

// All boxes are measured before anything is written: the browser lays the page out once.
function tellApart(before, now) {
  const moved = [];
  for (const [key, { element, box, region }] of now.pieces) {
    const old = before.pieces.get(key);
    if (!old || old.region !== region) marked.add(key);
    if (!old || old.box.x !== box.x || old.box.y !== box.y) moved.push([element, old?.box, box]);
  }
  const changes = [];
  for (const [key, { element, value }] of now.numbers) {
    const change = value - (before.numbers.get(key)?.value ?? value);
    if (!change) continue;
    marked.add(key);
    changes.push({ change, flows: element.dataset.flows, box: element.getBoundingClientRect() });
  }
  if (calm.matches) return;
  if (moved.length <= MOST) moved.forEach((one) => slide(...one));
  const seen = changes.filter(({ box }) => box.width);
  for (const { box, change } of seen) float(box, change);
  flow(seen.filter(({ flows }) => flows));
}

// Coins fly from the numbers that shrank to those of the same stuff that grew.
function flow(counted) {
  for (const giver of counted.filter(({ change }) => change < 0)) {
    for (const taker of counted.filter(({ flows, change }) => change > 0 && flows === giver.flows)) {
      const coins = Math.min(COINS, taker.change, -giver.change);
      for (let number = 0; number < coins; number++) fly(giver.box, taker.box, number);
    }
  }
}

function fly(begin, end, number) {
  const coin = document.createElement("i");
  coin.className = "coin";
  coin.setAttribute("aria-hidden", "true");
  coin.style.left = `${begin.x + begin.width / 2}px`;
  coin.style.top = `${begin.y + begin.height / 2}px`;
  document.body.append(coin);
  const [x, y] = [end.x + end.width / 2 - begin.x - begin.width / 2, end.y + end.height / 2 - begin.y - begin.height / 2];
  coin.animate([{ transform: "none" }, { transform: `translate(${x / 2}px, ${y / 2 - 40}px)` }, { transform: `translate(${x}px, ${y}px)` }],
    { duration: 600, delay: number * 90, easing: "ease-in-out", fill: "backwards" }).onfinish = () => coin.remove();
}

function slide(element, from, to) {
  const frames = from?.width && to.width
    ? [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }]
    : [{ opacity: 0, transform: "scale(.8)" }, { opacity: 1, transform: "none" }];
  element.animate(frames, { duration: 320, easing: "ease-out" });
}

// +3 rises from a number that grew, −5 sinks from one that shrank.
function float(box, change) {
  const sign = document.createElement("span");
  sign.className = `float ${change > 0 ? "more" : "less"}`;
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = `${change > 0 ? "+" : "\u2212"}${Math.abs(change).toLocaleString("en")}`;
  sign.style.left = `${box.x + box.width / 2}px`;
  sign.style.top = `${box.y}px`;
  document.body.append(sign);
  const way = change > 0 ? -26 : 26;
  sign.animate([{ opacity: 0, transform: "translate(-50%, 0)" }, { opacity: 1, offset: .2 },
    { opacity: 0, transform: `translate(-50%, ${way}px)` }], { duration: 1500, easing: "ease-out" }).onfinish = () => sign.remove();
}

// The board's own scrolled parts keep their place.
export function applyBoard(holder, html) {
  const scrolled = [...holder.querySelectorAll("[data-region]")].map((part) => [part.dataset.region, part.scrollLeft, part.scrollTop]);
  holder.innerHTML = html;
  for (const [name, left, top] of scrolled) {
    const part = holder.querySelector(`[data-region="${CSS.escape(name)}"]`);
    if (part && (left || top)) part.scrollTo(left, top);
  }
}

// What is around the regions has changed: those we have go into their new places.
export function applyFrame(holder, html) {
  const fresh = document.createElement("div");
  fresh.innerHTML = html;
  for (const place of fresh.querySelectorAll("[data-region]")) {
    const kept = holder.querySelector(`[data-region="${CSS.escape(place.dataset.region)}"]`);
    if (kept) place.replaceWith(kept);
  }
  holder.replaceChildren(...fresh.childNodes);
}
