// The rules: tabs, a search over paragraphs and cards, paragraphs that are opened by a link.
// Without this module both parts stand on one page, one after the other.

const $ = (selector, root = document) => root.querySelector(selector);

export function startRules(rules) {
  const law = $(".law", rules), learn = $(".learn", rules);
  const tabs = [...rules.querySelectorAll(".tabs a")];
  const entries = [...law.querySelectorAll(".rule, .things li")];
  const texts = new Map(entries.map((entry) => [entry, plainText(entry)]));

  function show(name) {
    if (learn) { learn.hidden = name !== "learn"; law.hidden = name === "learn"; }
    for (const tab of tabs) tab.setAttribute("aria-current", tab.hash.slice(1) === name ? "page" : "false");
  }

  function search() {
    const words = $("[data-search] input", law).value.trim().toLowerCase();
    const cards = /^c /.test(words), wanted = words.replace(/^[cr] /, "").split(/\s+/).filter(Boolean);
    let count = 0;
    for (const [entry, text] of texts) {
      const hit = wanted.every((word) => text.includes(word)) && !(cards && entry.matches(".rule"));
      entry.hidden = !hit;
      count += hit;
    }
    for (const list of law.querySelectorAll(".things")) {
      list.open = wanted.length > 0 && $("li:not([hidden])", list) !== null;
      list.hidden = wanted.length > 0 && !list.open;
    }
    for (const part of law.children) if (part.matches("h2, h3, p, .plain")) part.hidden = wanted.length > 0;
    $("[role=status]", law).textContent = wanted.length ? `${count} found` : "";
  }

  // Open the part of the rules that an address names: a paragraph, a card or a tab.
  function open(id) {
    const place = id && [...rules.querySelectorAll("[id]")].find((part) => part.id === id);
    if (!place) return;
    if (place === learn || place === law) { show(id); return; }
    show(learn?.contains(place) ? "learn" : "look-up");
    $("[data-search] input", law).value = "";
    search();
    const list = place.closest(".things");
    if (list) list.open = true;
    place.scrollIntoView({ block: "center" });
    place.classList.add("cited");
    setTimeout(() => place.classList.remove("cited"), 4000);
  }

  $("[data-search]", law).hidden = false;
  $("[data-search]", law).addEventListener("submit", (event) => event.preventDefault());
  $("[data-search] input", law).addEventListener("input", search);
  show(learn ? "learn" : "look-up");
  return open;
}

// What is searched: a paragraph or card as people read it, without keys.
function plainText(entry) {
  const copy = entry.cloneNode(true);
  for (const part of copy.querySelectorAll(".aside, .changes")) part.remove();
  return copy.textContent.toLowerCase();
}
