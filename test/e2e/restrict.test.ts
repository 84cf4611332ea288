/** What restricts an agent holds, or the agent is given nothing to do. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { changedTo, seenUntil, TestHouse, turnEnded } from "./house.ts";

test("[LNK-56] [SES-57] a mode that the agent does not have stops the session before its first prompt; corrected, the prompt runs in that mode", async () => {
  await using house = await TestHouse.make();
  const { client } = await house.up();
  const ledger = join(house.directory, "ledger");
  const { id } = await client.createSession({
    agent: "demo",
    cwd: house.workspace,
    env: { DEMO_LEDGER: ledger },
    mode: "readonly",
    prompt: "write NOTES.md hello",
  });
  await seenUntil(client, id, changedTo("ERROR"));
  const stopped = await client.showSession(id);
  assert.equal(stopped.error_code, "restriction_not_held");
  assert.deepEqual(
    [stopped.restriction?.asked, stopped.restriction?.valid],
    ["readonly", ["work", "read-only"]],
  );
  assert.equal(stopped.applied, null, "no mode is claimed");
  assert.equal(stopped.queued_prompts.length, 1);
  assert.equal(existsSync(ledger), false, "the agent was given nothing");

  await assert.rejects(client.resumeSession(id, { mode: "read_only" }), {
    code: "restriction_not_held",
    state: "ERROR",
  });
  assert.equal(existsSync(ledger), false);

  await client.resumeSession(id, { mode: "read-only" });
  await seenUntil(client, id, turnEnded(1));
  const { applied, restriction } = await client.showSession(id);
  assert.deepEqual(applied?.mode, { value: "read-only", held: "agent" });
  assert.equal(restriction, null);
  assert.match(readFileSync(ledger, "utf8"), /write NOTES\.md hello/);
  assert.equal(existsSync(join(house.workspace, "NOTES.md")), false);
});

test("[LNK-58] [API-124] limits of tools that the next agent cannot hold stop the handed-off session, until words are enough", async () => {
  await using house = await TestHouse.make({
    agents: { demo: { asks: "all" } },
  });
  const { client } = await house.up();
  const { id } = await client.createSession({
    agent: "demo",
    cwd: house.workspace,
    mode: "read-only",
    disallowed_tools: ["WebFetch"],
    prompt: "hello",
  });
  await seenUntil(client, id, turnEnded(1));
  const { applied } = await client.showSession(id);
  assert.equal(applied?.tools?.held, "answers");

  await assert.rejects(client.handOffSession(id, "demo-inject"), {
    code: "restriction_not_held",
  });
  await client.handOffSession(id, "demo-inject", { without: ["mode"] });
  await client.queuePrompt(id, { text: "go on" });
  await seenUntil(client, id, changedTo("ERROR"));
  const stopped = await client.showSession(id);
  assert.equal(stopped.restriction?.what, "tools");

  await client.resumeSession(id, { advisory_tools: true });
  await seenUntil(client, id, turnEnded(2));
  const after = await client.showSession(id);
  assert.deepEqual(after.applied?.tools, {
    value: { allowed: null, disallowed: ["WebFetch"] },
    held: "words",
  });
});
