/** A page's one connection, over the death of the server. */
import assert from "node:assert/strict";
import { type ConnectionState, WindowFold } from "../../src/client/client.ts";
import type { Message } from "../../src/contract/session/message.ts";
import { isResumed, turnEnded } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

const NUMBERS = 200;

test("[SDK-25] [SDK-26] [API-200] [API-204] [P2] the server is killed in mid-stream and started again: a page has every chunk once", async (scene) => {
  const { client, workspace: cwd } = scene;
  const { port } = new URL(scene.server.url);
  const connection = client.live({ retry: { first_ms: 20, most_ms: 200 } });
  const states: ConnectionState[] = [];
  connection.subscribe(() => states.push(connection.state));
  const changes = connection.followHome();
  assert.equal((await changes.next()).value?.type, "stream.opened");

  const { id } = await client.createSession({
    cwd,
    prompt: `count ${NUMBERS} 5`,
  });
  const window = await client.showWindow(id);
  const fold = new WindowFold(window);
  const killed = Promise.withResolvers<void>();
  let isKilled = false;
  let isResumedNow = false;
  let isOver = false;
  for await (const event of connection.follow(id, { after: window.seq })) {
    fold.take(event);
    if (!isKilled && fold.messages.some(hasBegunToCount)) {
      isKilled = true;
      killed.resolve(
        scene.server.kill().then(async () => {
          await scene.up("--port", port);
        }),
      );
    }
    isResumedNow ||= isResumed(event);
    isOver ||= turnEnded(1)(event);
    if (isOver && isResumedNow) break;
  }
  await killed.promise;

  const { messages } = await scene.client.listMessages(id);
  assert.deepEqual(fold.messages, messages);
  const numbers = messages.filter(isOfAgent).map(({ text }) => text);
  assert.deepEqual(
    numbers.join("").trim().split(/\s+/),
    Array.from({ length: NUMBERS }, (_, i) => String(i + 1)),
  );

  const kinds = states.map(({ kind }) => kind);
  assert.ok(kinds.includes("away"), kinds.join());
  assert.equal(kinds.at(-1), "back");
  // The home goes on too, from where it was.
  for await (const change of changes)
    if (
      change.type === "session.changed" &&
      change.session.id === id &&
      change.session.turn_count === 1
    )
      break;
  connection.close();
});

const isOfAgent = ({ role }: Message): boolean => role === "agent";

const hasBegunToCount = ({ role, text }: Message): boolean =>
  role === "agent" && /\b20\b/.test(text);
