// What somebody does before the scripts are there is kept, and done as soon as they are. The page's scripts are
// modules, and those have all run when its content is there.

const kept = [];

function keep(event) {
  const wanted = event.type === "submit" ? "form:not([action])" : "button[type=button], #board .live";
  if (!event.target.closest(wanted)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  kept.push([event.target, event]);
}

for (const what of ["click", "submit"]) addEventListener(what, keep, true);
addEventListener("DOMContentLoaded", () => {
  for (const what of ["click", "submit"]) removeEventListener(what, keep, true);
  for (const [target, event] of kept) target.dispatchEvent(new event.constructor(event.type, event));
});
