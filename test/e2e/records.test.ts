import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { TestHouse, seenUntil, turnEnded } from "./house.ts";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";

test("the files of a session whose server was killed in the middle of a turn are complete again after the next start", async () => {
  await using house = await TestHouse.make();
  const killed = await house.up();
  const session = await killed.client.createSession({
    cwd: house.workspace,
    prompt: `count 40 ${patience(50)}`,
  });
  const read = (name: string) =>
    readFile(join(house.home, "sessions", session.id, name), "utf8");
  // The conversation follows the turn; the server dies while it does.
  await eventually(
    () => read("conversation.json").catch(() => ""),
    (text) => text.includes('"role":"agent"'),
  );
  await killed.kill();

  const server = await house.up();
  await seenUntil(server.client, session.id, turnEnded(1));
  const { messages } = await server.client.listMessages(session.id);
  await eventually(
    async () => JSON.parse(await read("conversation.json")).messages,
    (written) => JSON.stringify(written) === JSON.stringify(messages),
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
    (text) => text.includes("agent_message"),
  );
  assert.deepEqual(
    history
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type),
    ["user_message", "agent_message"],
  );
});
