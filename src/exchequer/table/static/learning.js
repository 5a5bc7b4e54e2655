// Lessons: what is asked for glows, in the list of moves and on the board. Bots explain themselves.

function mark() {
  for (const old of document.querySelectorAll(".wanted")) old.classList.remove("wanted");
  const wanted = document.querySelector("[data-wanted]")?.dataset.wanted;
  if (wanted === undefined) return;
  const places = `[data-move="${wanted}"], .live[data-moves~="${wanted}"]`;
  for (const place of document.querySelectorAll(places)) {
    place.classList.add("wanted");
    if ("unfinished" in place.dataset) place.dataset.unfinished = ""; // the lesson wants the turn to end
  }
  document.querySelector(".moves ol .wanted")?.parentElement.parentElement.scrollTo({ top: document.querySelector(".moves ol .wanted").parentElement.offsetTop - 60 });
}

// On a phone what glows may lie further down.
function show() {
  const places = [...document.querySelectorAll("#board .wanted, .wanted")];
  places.find((place) => place.getClientRects().length)?.scrollIntoView({ block: "center" });
}

async function explain(button) {
  const box = () => document.querySelector(".why-bot"); // its region may be replaced meanwhile
  box().textContent = "Thinking \u2026";
  const answer = await fetch(button.dataset.whyBot, { headers: { accept: "application/json" } }).catch(() => null);
  const found = answer ? await answer.json() : { error: "offline", sentence: "The server does not answer." };
  const told = found.error ? [found.sentence] : found.told;
  box()?.replaceChildren(...told.map((textContent) => Object.assign(document.createElement("p"), { textContent })));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-why-bot]");
  if (button) explain(button);
  if (event.target.closest("[data-show]")) show();
  event.target.closest("[data-dismiss]")?.closest(".offer").remove();
});

let marking = 0;
new MutationObserver(() => { cancelAnimationFrame(marking); marking = requestAnimationFrame(mark); })
  .observe(document.body, { childList: true, subtree: true });
mark();
