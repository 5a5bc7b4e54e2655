// A deal as one form: filled in by clicking the map and typing, weighed by the server before it is sent.

const $ = (selector, root = document) => root.querySelector(selector);
let asked = 0; // answers come later than questions

const boxes = (form) => [...form.querySelectorAll("[name=square]")];
const chosen = (form) => boxes(form).filter((box) => box.checked);
const owner = (box) => Number(box.dataset.owner);

function termsOf(form) {
  const to = form.elements.to.value;
  return {
    to: to === "" ? null : Number(to), squares: chosen(form).map((box) => box.value),
    price: Number(form.elements.price.value), pays: form.elements.pays.checked, tax: form.elements.tax.value,
  };
}

// Whose square is chosen says with whom the deal is; what does not fit any more is left out.
function settle(form, box) {
  const own = Number(form.dataset.own), partner = form.querySelector(`[type=radio][value="${owner(box)}"]`);
  if (box.checked && partner) partner.checked = true;
  const to = Number(form.elements.to.value);
  for (const other of chosen(form)) if (owner(other) !== own && owner(other) !== to) other.checked = false;
  const rest = chosen(form).filter((other) => other !== box);
  while (box.checked && rest.length >= Number(form.dataset.most)) rest.shift().checked = false;
}

function show(form) {
  const own = Number(form.dataset.own), squares = chosen(form);
  const names = (mine) => squares.filter((box) => (owner(box) === own) === mine).map((box) => box.value.toUpperCase()).join(", ") || "nothing";
  $("[data-gives]", form).textContent = names(true);
  $("[data-gets]", form).textContent = names(false);
  $(".pays", form).hidden = names(true) === "nothing" || names(false) === "nothing";
  $("[data-price]", form).hidden = !squares.length || !form.dataset.bots.split(" ").includes(form.elements.to.value);
  for (const place of document.querySelectorAll("#board .dealt")) place.classList.remove("dealt");
  for (const box of squares) squareAt(box.value)?.classList.add("dealt");
}

const squareAt = (name) => $(`#board [data-square="${name}"]`);

// What is being filled in outlives a page that is drawn again, as long as it is about the same.
let kept = null;

function keep(form) {
  kept = { about: form.dataset.about, ...termsOf(form), price: form.elements.price.value, focus: form.contains(document.activeElement) ? document.activeElement.name : "" };
}

function restore(form) {
  if (kept?.about !== form.dataset.about) { kept = null; return; }
  const partner = form.querySelector(`[type=radio][value="${kept.to}"]`);
  if (partner) partner.checked = true;
  for (const box of boxes(form)) box.checked = kept.squares.includes(box.value);
  form.elements.price.value = kept.price;
  form.elements.pays.checked = kept.pays;
  form.elements.tax.value = kept.tax;
  if (kept.focus) form.querySelector(`[name="${kept.focus}"]`)?.focus();
}

async function weigh(form, post) {
  const terms = termsOf(form), turn = ++asked;
  const isWhole = terms.to !== null && terms.squares.length && form.elements.price.value !== "";
  const answer = isWhole ? await post("deals/weighed", terms) : { said: [] };
  if (turn !== asked) return;
  const lines = answer.error ? [answer.sentence] : answer.said;
  $(".weighed", form).replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
}

// A bot that is asked names its price.
async function askPrice(form, post) {
  const { price, sentence } = await post("deals/price", { ...termsOf(form), price: 0 });
  if (Number.isInteger(price)) form.elements.price.value = price;
  else $(".weighed", form).replaceChildren(Object.assign(document.createElement("li"), { textContent: sentence ?? "At no price." }));
  return Number.isInteger(price);
}

// What is done about proposals: they are taken up, one or all that are ticked, or withdrawn.
function answered(target) {
  const button = target.closest("[data-take], [data-together], [data-withdraw]");
  if (!button) return null;
  if (button.dataset.withdraw) return ["deals/withdraw", { id: Number(button.dataset.withdraw), version: undefined }];
  const ticked = [...document.querySelectorAll("[name=together]:checked")].map((box) => Number(box.value));
  const ids = button.dataset.id ? [Number(button.dataset.id)] : ticked;
  return ids.length ? ["deals/answer", { ids, answer: button.dataset.take ?? "accept" }] : null;
}

// `post` asks the server about terms, `move` sends them.
export function startDeals(post, move) {
  const update = (form) => { show(form); weigh(form, post); };
  document.addEventListener("click", async (event) => {
    const asking = event.target.closest("[data-price]")?.form;
    if (asking) { if (await askPrice(asking, post)) update(asking); return; }
    const said = answered(event.target);
    if (said) { move(said[0], said[1]); return; }
    const place = event.target.closest("#board [data-square]:not([data-spot])");
    const form = $("[data-deal]");
    const box = place && form && boxes(form).find((one) => one.value === place.dataset.square);
    if (!box) return;
    box.checked = !box.checked;
    settle(form, box);
    keep(form);
    update(form);
  });
  document.addEventListener("input", (event) => {
    const form = event.target.closest("[data-deal]");
    if (!form) return;
    if (event.target.name === "square") settle(form, event.target);
    keep(form);
    update(form);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-deal]")) return;
    event.preventDefault();
    kept = null;
    move("deals", termsOf(event.target));
  });
  new MutationObserver(() => { const form = $("[data-deal]:not([data-shown])"); if (form) { form.dataset.shown = ""; restore(form); update(form); } })
    .observe($(".side"), { childList: true });
  const form = $("[data-deal]");
  if (form) { form.dataset.shown = ""; update(form); }
}
