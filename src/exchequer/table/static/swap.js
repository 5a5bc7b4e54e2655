// Swapping what has changed, with pieces that move where they go (View Transitions).

const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Pieces carry names, so that the browser can follow each from its old place to its new one.
function namePieces(on) {
  for (const piece of document.querySelectorAll("#board [data-piece]")) {
    piece.style.viewTransitionName = on ? `piece-${piece.dataset.piece.replace(/[^\w-]/g, "_")}` : "";
  }
}

let running = null;

export function swap(change) {
  if (!document.startViewTransition || calm.matches || document.hidden) { change(); return; }
  running?.skipTransition();
  namePieces(true);
  const transition = document.startViewTransition(() => { change(); namePieces(true); });
  running = transition;
  transition.ready.catch(() => {});
  transition.updateCallbackDone.catch(() => {});
  transition.finished.catch(() => {}).finally(() => {
    if (running === transition) { running = null; namePieces(false); }
  });
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
