// The end of a game: what is worked out behind the table is fetched when it is there; sharing.

const WAITS = 60; // times that a page asks again

async function fill(place) {
  place.dataset.asked = "";
  for (let times = 0; times < WAITS && place.isConnected; times += 1) {
    const answer = await fetch(place.dataset.review, { headers: { accept: "text/html" } }).catch(() => null);
    if (answer?.status === 200) { place.innerHTML = await answer.text(); return; }
    if (answer?.status === 204) { place.replaceChildren(); return; }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

function look() {
  for (const place of document.querySelectorAll("[data-review]:not([data-asked])")) fill(place);
}

async function share(path) {
  const url = location.origin + path;
  if (navigator.share) { await navigator.share({ title: document.title, url }).catch(() => {}); return; }
  await navigator.clipboard?.writeText(url).catch(() => {});
  const note = Object.assign(document.createElement("div"), { className: "toast", textContent: navigator.clipboard ? "The link is copied." : url });
  document.querySelector("#toasts").replaceChildren(note);
  setTimeout(() => note.remove(), 6000);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-share]");
  if (button) share(button.dataset.share);
});
new MutationObserver(look).observe(document.querySelector("main"), { childList: true, subtree: true });
look();
