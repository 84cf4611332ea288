/** Tries three ways from the same turn at once, and answers whatever the agents ask. */
import { localReprise } from "reprise/client/node";

const reprise = await localReprise();
const session = await reprise.sessions.start({
  agent: "demo",
  cwd: process.cwd(),
});
await (await session.prompt("remember colour=teal")).result();

const stop = new AbortController();
const answering = (async () => {
  for await (const question of reprise.permissions({ signal: stop.signal })) {
    console.log(`asked: ${question.permission.title}`);
    await question.answer("allow_once");
  }
})();

const ways = await Promise.all([1, 2, 3].map(() => session.fork({ turn: 1 })));
const results = await Promise.all(
  ways.map(async (way, at) => {
    const turn = await way.prompt(`ask-write way.txt ${at}\nrecall colour`);
    // Messages end with the turn; a result would also end with a question.
    for await (const message of turn) void message;
    return turn.result();
  }),
);
for (const { status, text, files } of results)
  console.log(status, text, files.map(({ path }) => path).join(" "));

stop.abort();
await answering;
for (const each of [session, ...ways]) await each.end();
