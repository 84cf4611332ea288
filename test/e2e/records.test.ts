import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { TestHouse, seenUntil, turnEnded } from "./house.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";

test("the files of a session whose server was killed in the middle of a turn are complete again after the next start", async () => {
  await using house = await TestHouse.make();
  const killed = await house.up();
  const latch = house.latch();
  const session = await killed.client.createSession({
    cwd: house.workspace,
    prompt: `count 20 0\nrun ${latch.wait}\ncount 20 0`,
  });
  const read = (name: string) =>
    readFile(join(house.home, "sessions", session.id, name), "utf8");
  // The conversation follows the turn; the server dies while it does.
  await eventually(
    () => read("conversation.json").catch(() => ""),
    (text) => text.includes('"role":"agent"'),
  );
  await killed.kill();
  latch.open();

  const server = await house.up();
  await seenUntil(server.client, session.id, turnEnded(1));
  const { messages } = await server.client.listMessages(session.id);
  await eventually(
    async () => JSON.parse(await read("conversation.json")).messages,
    (written) => isDeepStrictEqual(written, messages),
  );
  // Each file is complete by itself; all of them are a moment later.
  const log = await eventually(
    () => read("session.log"),
    (text) => text.includes("TURN COMPLETED"),
  );
  assert.equal(log.split("FINAL USER PROMPT").length, 2, log);
  assert.equal(log.split("TURN COMPLETED").length, 2, log);
  const history = await eventually(
    () => read("history.jsonl"),
    (text) => text.split("agent_message").length > 2,
  );
  assert.deepEqual(
    history
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type),
    [
      "user_message",
      "agent_message",
      "tool_call",
      "tool_result",
      "agent_message",
    ],
  );
});
