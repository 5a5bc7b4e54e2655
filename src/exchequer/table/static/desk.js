// The desk: follows a run, counts what was changed, moves a number to the dial. Everything else is forms.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector) => [...document.querySelectorAll(selector)];

// A run that is being played -----------------------------------------------------------------------

const live = $("[data-live]");

async function follow() {
  const answer = await fetch(live.dataset.live).catch(() => null);
  if (answer?.ok) {
    live.innerHTML = await answer.text();
    const status = answer.headers.get("exchequer-status");
    if (status !== live.dataset.status) { location.reload(); return; }
  }
  setTimeout(follow, 700);
}

if (live?.dataset.status === "running") follow();

// What was changed ---------------------------------------------------------------------------------

function touch(row) {
  const field = $("input, select", row);
  row.classList.toggle("touched", field.value !== row.dataset.was);
  const count = $$(".content .touched").length;
  $("[data-count]").textContent = count ? `${count} changed, not saved` : "";
}

$(".content")?.addEventListener("input", (event) => {
  const row = event.target.closest(".row");
  if (row) touch(row);
});

// Only what was changed is sent: a page of cards has hundreds of fields.
$(".content")?.addEventListener("submit", () => {
  for (const row of $$(".content .row:not(.touched)")) $("input, select", row).disabled = true;
});
addEventListener("pageshow", () => $$(".content .row :disabled").forEach((field) => { field.disabled = false; }));

// The dial -----------------------------------------------------------------------------------------

for (const button of $$("[data-dial]")) {
  button.addEventListener("click", () => {
    const over = $("#dial [name=over]");
    const others = over.value.split(";").map((part) => part.trim()).filter((part) => part && part.split("=")[0] !== button.dataset.dial.split("=")[0]);
    over.value = [...others, button.dataset.dial].join("; ");
    $("#dial").open = true;
    button.textContent = "on the dial";
  });
}

$("[data-print]")?.addEventListener("click", () => print());

// Light or dark, as everywhere ---------------------------------------------------------------------

$("[data-theme-switch]")?.addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
});
