// What a person with a screen reader or weak eyes would stumble over; returns sentences.
() => {
  const found = [];
  const shown = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && e.getClientRects().length;
  const tell = (e) => `${e.tagName.toLowerCase()}.${[...e.classList].join(".")} "${(e.innerText || e.value || "").trim().slice(0, 40)}"`;
  const name = (e) => e.getAttribute("aria-label") || e.getAttribute("title") || e.innerText?.trim() ||
    (e.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.innerText).join(" ").trim() ||
    [...(e.labels ?? [])].map((l) => l.innerText.trim()).join(" ") || e.querySelector?.("[aria-label]")?.getAttribute("aria-label") || e.placeholder;
  for (const e of document.querySelectorAll("button, a[href], input:not([type=hidden]), select, textarea, [role=button], [role=menuitem], summary")) {
    if (shown(e) && !name(e)) found.push(`no name: ${tell(e)}`);
    if (shown(e) && e.matches("[role=button]") && e.tabIndex < 0) found.push(`not reachable by key: ${tell(e)}`);
  }
  for (const e of document.querySelectorAll("svg, img")) {
    const said = e.getAttribute("aria-label") || e.getAttribute("alt") || e.getAttribute("aria-hidden") || e.closest("[aria-hidden=true], [role=img][aria-label], [role=button][aria-label]") || e.querySelector("title");
    if (shown(e) && !said) found.push(`picture without a word: ${e.outerHTML.slice(0, 90)}`);
  }
  if (!document.documentElement.lang) found.push("the page has no language");
  if (!document.querySelector("main")) found.push("the page has no main part");
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) found.push(`id twice: ${id}`);

  const colour = (text) => { const p = text.match(/[\d.]+/g)?.map(Number); if (!p || !/^rgb/.test(text)) return null; return { r: p[0], g: p[1], b: p[2], a: p[3] ?? 1 }; };
  const over = (top, under) => ({ r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a), b: top.b * top.a + under.b * (1 - top.a), a: 1 });
  const light = ({ r, g, b }) => { const f = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const behind = (e) => {
    const layers = [];
    for (; e; e = e.parentElement) { const c = getComputedStyle(e); if (c.backgroundImage !== "none") return null; const b = colour(c.backgroundColor); if (b?.a) layers.push(b); if (b?.a === 1) break; }
    return layers.reverse().reduce((under, top) => over(top, under), { r: 255, g: 255, b: 255, a: 1 });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !shown(e) || e.closest("svg, :disabled, .hidden-text, [aria-hidden=true], option, .skip")) continue;
    const style = getComputedStyle(e), ink = colour(style.color), ground = behind(e);
    if (!ink || !ground) continue;
    let opacity = 1;
    for (let p = e; p; p = p.parentElement) opacity *= Number(getComputedStyle(p).opacity);
    const a = light(over({ ...ink, a: ink.a * opacity }, ground)), b = light(ground);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) found.push(`contrast ${ratio.toFixed(2)}: ${tell(e)}`);
  }
  return [...new Set(found)];
}
