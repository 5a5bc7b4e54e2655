// Replay: a scrub bar over the moments of a game that the viewer may see.

import { applyBoard, swap } from "./swap.js";

export function startReplay(root, copy) {
  const base = document.documentElement.dataset.base ?? "";
  const bar = root.querySelector("input[type=range]");
  const output = root.querySelector("output");
  const list = root.querySelector("#frames");
  const last = Number(bar.max);
  let shown = Number(bar.defaultValue), running = 0, asked = 0;  // what the server has drawn
  const kept = new Map();

  async function load(frame) {
    if (!kept.has(frame)) {
      const seat = Number(root.dataset.seat) >= 0 ? `?seat=${root.dataset.seat}` : "";
      kept.set(frame, fetch(`${base}/api/v1/tables/${root.dataset.table}/frames/${frame}${seat}`).then((answer) => answer.json()));
    }
    return kept.get(frame);
  }

  async function go(frame) {
    frame = Math.max(0, Math.min(last, frame));
    asked = frame;
    bar.value = frame;
    const found = await load(frame);
    if (asked !== frame || found.error || frame === shown) return;
    shown = frame;
    output.textContent = `${frame} / ${last}`;
    history.replaceState(null, "", `?frame=${frame}`);
    const line = list.querySelector(`[data-frame="${frame}"]`);
    root.dataset.by = line.querySelector("[class*='seat-']")?.className.match(/seat-(\d)/)[1] ?? "";
    swap(() => applyBoard(root.querySelector("#board"), found.board));
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    line.setAttribute("aria-current", "step");
    reveal(line);
    if (frame < last) load(frame + 1);
  }

  // Only the log is scrolled: the board stays where somebody looks at it.
  function reveal(line) {
    if (line) list.scrollTop += line.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  }

  // A move of which nothing is told, such as a digit that was typed, is passed over.
  function nextTold(way) {
    let line = list.querySelector(`[data-frame="${shown}"]`);
    do line = way > 0 ? line.nextElementSibling : line.previousElementSibling; while (line?.classList.contains("untold"));
    return line ? Number(line.dataset.frame) : way > 0 ? last : 0;
  }

  function nextChapter(way) {
    const starts = [...root.querySelectorAll("#chapters option")].map((one) => Number(one.value));
    return way > 0 ? starts.find((start) => start > shown) ?? last : starts.findLast((start) => start < shown) ?? 0;
  }

  function run() {
    const button = root.querySelector("[data-run]");
    if (running) { clearInterval(running); running = 0; button.textContent = "▶︎ Play"; return; }
    if (shown === last) go(0);
    button.textContent = "❚❚ Pause";
    running = setInterval(() => (shown >= last ? run() : go(nextTold(1))), 900);
  }

  bar.addEventListener("input", () => go(Number(bar.value)));
  root.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    const line = event.target.closest("li[data-frame]");
    const chapter = event.target.closest("[data-chapter]");
    if (step) go(nextTold(Number(step.dataset.step)));
    else if (chapter) go(nextChapter(Number(chapter.dataset.chapter)));
    else if (line) go(Number(line.dataset.frame));
    else if (event.target.closest("[data-run]")) run();
    else if (event.target.closest("[data-copy-moment]")) copy(`${location.origin}${base}/table/${root.dataset.table}/replay?frame=${shown}`);
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input")) return;
    if (event.key === "ArrowLeft") go(nextTold(-1));
    if (event.key === "ArrowRight") go(nextTold(1));
  });
  reveal(list.querySelector("[aria-current]"));
  // Somebody was quicker than this script, or the browser remembered a moment.
  if (Number(bar.value) !== shown) go(Number(bar.value));
}
