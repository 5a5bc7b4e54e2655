// What a move would change, before it is made, and why something cannot be done: asked of the server
// for the one move or place that somebody points at, and kept while the position is the same.

const kept = new Map(); // by the position and what was asked
let ask, cite, position;

export function startForesight({ get, citing, moment }) {
  [ask, cite, position] = [get, citing, moment];
}

// Whoever listens is told what somebody looks at; a playtest does.
export const looked = (kind, what = "", cites = []) => document.dispatchEvent(new CustomEvent("looked", { detail: { kind, what, cites } }));

async function answer(path) {
  const key = `${position()} ${path}`;
  if (!kept.has(key)) {
    if (kept.size > 300) kept.clear();
    kept.set(key, ask(path).catch(() => ({ error: "offline" })));
  }
  return kept.get(key);
}

const make = (tag, className, ...inside) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...inside);
  return made;
};

// Under a tip: what the one move there would change, or why nothing can be done there; whoever points by a click or a
// tap, not only in passing, is told also that something else is asked.
export async function saidOf(element, isMeant = false) {
  const listed = element.closest(".choices [data-move]");
  if (listed) return foreseen(listed.dataset.move);
  const place = element.closest("[data-spot], [data-place]");
  if (!place || !element.closest("#board")) return [];
  const actions = (place.dataset.moves ?? "").split(" ").filter(Boolean);
  if (actions.length === 1) return foreseen(actions[0]);
  if (!place.dataset.place) return [];
  const lines = await refused(`?place=${encodeURIComponent(place.dataset.place)}`, place.dataset.place);
  if (!lines.length && isMeant) lines.push(make("li", "", "Nothing can be done here now. ", make("small", "", asked())));
  return lines.length ? [make("ul", "cannot", ...lines)] : [];
}

const asked = () => document.querySelector(".status .question")?.textContent.trim() ?? "";

// What cannot be done, here or anywhere, and why.
export async function refused(where = "", place = "") {
  const found = await answer(`why${where}`);
  if (!found.error) looked("why", place, found.flatMap((one) => one.paragraphs ?? []));
  return found.error ? [] : found.map(({ words, sentence, paragraphs }) => make("li", "", words, " ", make("small", "", ...cite(sentence, paragraphs))));
}

// One move: numbers before and after, then what the log would say.
export async function foreseen(action) {
  const found = await answer(`preview?action=${action}`);
  if (found.error) return [];
  looked("preview", action);
  const parts = [];
  if (found.changes.length) parts.push(make("ul", "changes", ...found.changes.map(changed)));
  for (const sentence of found.told) parts.push(make("p", "told", sentence));
  if (found.nothing) parts.push(make("p", "told nothing", "Possible, but it changes nothing now."));
  if (found.then) parts.push(make("p", "told", `Next: ${found.then}`));
  if (found.unsure) parts.push(make("p", "told quiet", "What else happens depends on chance or on what you cannot see."));
  return parts;
}

function changed({ who, what, before, after }) {
  return make("li", after > before ? "more" : "less", who ? `${who}: ` : "", `${what} `, make("b", "", `${before} → ${after}`));
}
