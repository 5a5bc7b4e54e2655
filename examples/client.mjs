// Play a whole game at the web table through its JSON API, against a greedy bot.
//
//     exchequer serve                                    # in another terminal
//     node examples/client.mjs http://127.0.0.1:8017 kingdom
//
// `/api/v1/openapi.json` describes all that a program can do.

const [url = "http://127.0.0.1:8017", game = "kingdom"] = process.argv.slice(2);
let token = "";

// GET without a body, POST with one; a refusal is an answer with "error" and "sentence".
async function call(path, body) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
  const answer = await fetch(`${url}/api/v1/${path}`, { headers, ...sent });
  return answer.json();
}

const choose = (seen) => seen.moves[Math.floor(Math.random() * seen.moves.length)];
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

token = (await call("visitors", {})).token;
const [fewest, most] = (await call("games")).find((one) => one.name === game).seats;
const others = Array(Math.max(fewest, Math.min(most, 2)) - 1).fill("greedy");
const { id } = await call("tables", { game, seats: ["me", ...others], listed: false });

let seen = await call(`tables/${id}`);
while (seen.status === "running") {
  if (seen.moves.length) {
    const answer = await call(`tables/${id}/play`, {
      seat: seen.seat, action: choose(seen).action, version: seen.version,
    });
    if (answer.error) console.log(answer.sentence);
  }
  await pause(50);
  seen = await call(`tables/${id}`);
}
console.log((await call(`tables/${id}/text`)).text);
