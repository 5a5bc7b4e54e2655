// Coming together: a seat is taken by name; a sound, and a notice, when it is one's turn.

const $ = (selector) => document.querySelector(selector);
const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* nothing is kept */ } };

// The waiting room ------------------------------------------------------------------------------

function fill() {
  const name = $("[data-own-name]");
  if (name && !name.value) name.value = $(".rename input").value;
  const as = name?.value.trim() ? ` as ${name.value.trim()}` : "";
  if (name && $("[data-as]").textContent !== as) $("[data-as]").textContent = as;
  const link = $("[data-own-link]");
  if (link && !link.value) link.value = location.href.split(/[?#]/)[0];
  for (const box of document.querySelectorAll("[data-notice]")) {
    if (!box.dataset.known) { box.dataset.known = "1"; box.checked = kept(box.dataset.notice) === "on"; }
  }
}

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: { "content-type": "application/json", accept: "application/json" }, body: JSON.stringify(body),
  }).catch(() => null);
  return answer ? answer.json() : { error: "offline", sentence: "The server does not answer; try again." };
}

async function takeSeat(form) {
  const name = $("[data-own-name]").value.trim();
  if (name && name !== $(".rename input").value) await post(`${document.documentElement.dataset.base ?? ""}/api/v1/name`, { name });
  const found = await post(form.dataset.takeSeat, { seat: Number(form.querySelector("[data-seat-number]").dataset.seatNumber) });
  if (!found.error) { location.reload(); return; }
  $("#toasts").replaceChildren(Object.assign(document.createElement("div"), { className: "toast", textContent: found.sentence }));
}

document.addEventListener("input", (event) => { if (event.target.matches("[data-own-name]")) fill(); });
document.addEventListener("focusin", (event) => { if (event.target.matches("[data-own-link]")) event.target.select(); });
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-take-seat]")) return;
  event.preventDefault();
  takeSeat(event.target);
});

// One's turn --------------------------------------------------------------------------------------

let last = null, sound; // what the page said of the turn

function ring() {
  sound ??= new AudioContext();
  const tone = sound.createOscillator(), volume = sound.createGain(), now = sound.currentTime;
  tone.frequency.setValueAtTime(660, now);
  tone.frequency.setValueAtTime(880, now + 0.12);
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.4);
  tone.connect(volume).connect(sound.destination);
  tone.start(now);
  tone.stop(now + 0.42);
  document.body.dataset.rung = Number(document.body.dataset.rung ?? 0) + 1;
}

function turn() {
  const status = $(".status"), { version, mine } = $("#table")?.dataset ?? {};
  return { isMine: status?.classList.contains("mine") ?? false, since: status?.dataset.since, version, isAlone: mine && !mine.includes(" ") };
}

// Others may be done before the page was told that it was their turn; then it tells by what they moved since.
function isNew(before, now) {
  return !before.isMine || now.isAlone && now.version !== before.version && now.since !== before.since;
}

function watchTurn() {
  const now = turn();
  if (last && now.isMine && isNew(last, now)) {
    if (kept("sound") === "on") ring();
    if (kept("notify") === "on" && document.hidden && globalThis.Notification?.permission === "granted") {
      new Notification("Your move", { body: document.title.replace("\u25cf ", ""), tag: location.pathname });
    }
  }
  last = now;
}

document.addEventListener("change", async (event) => {
  const box = event.target.closest("[data-notice]");
  if (!box) return;
  if (box.dataset.notice === "notify" && box.checked) box.checked = await globalThis.Notification?.requestPermission() === "granted";
  keep(box.dataset.notice, box.checked ? "on" : "off");
  if (box.dataset.notice === "sound" && box.checked) ring();
});

new MutationObserver(() => { fill(); watchTurn(); }).observe($("main"), { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
fill();
watchTurn();
