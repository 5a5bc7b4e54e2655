// The log: lines as the server tells them, a list item for each moment.

function told([tone, seat, text]) {
  const line = document.createElement(tone === "heading" ? "h3" : "p");
  line.className = `${tone === "heading" ? "turn" : tone}${seat < 0 ? "" : ` seat-${seat % 6}`}`;
  line.textContent = text;
  return line;
}

// The frames from a number on take the place of those shown. What comes later is read aloud, the
// log that a page begins with is not.
export function showLog(list, { from, frames }) {
  const region = list.parentElement;
  region.ariaBusy = String(!from);
  while (list.children.length > from) list.lastChild.remove();
  for (const lines of frames) {
    const item = document.createElement("li");
    item.append(...lines.map(told));
    list.append(item);
  }
  list.scrollTop = list.scrollHeight;
  region.ariaBusy = "false";
}
