import { methods } from "@agentclientprotocol/sdk/unstable";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { driveDemo, scratch } from "./drive.ts";

const { cancel, close } = methods.agent.session;

test("cancel ends sleep, count and run, and the session goes on", async (t) => {
  const cwd = scratch(t);
  const demo = driveDemo(t, scratch(t));
  const sessionId = await demo.open(cwd);
  for (const [command, begun] of [
    ["hello\nsleep 60000", /You said: hello/],
    ["count 1000 60000", /"1\\n"/],
    ["run echo $$ > pid; echo begun; sleep 60", /"begun\\n"/],
  ] as const) {
    demo.updates.length = 0;
    const stop = demo.prompt(sessionId, `${command}\nwrite after x`);
    await demo.until(() => begun.test(JSON.stringify(demo.updates)));
    await demo.agent.notify(cancel, { sessionId });
    assert.equal(await stop, "cancelled");
  }
  const shell = Number(readFileSync(join(cwd, "pid"), "utf8"));
  assert.throws(() => process.kill(shell, 0), { code: "ESRCH" });
  assert.equal(await demo.prompt(sessionId, "still there?"), "end_turn");
  assert.match(demo.said(), /I remember 4 prompts/);
});

test("cancel ends a turn that waits for a permission, whether or not that is answered", async (t) => {
  const asked = Promise.withResolvers<void>();
  const demo = driveDemo(t, scratch(t), {
    permit: () => {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  const sessionId = await demo.open(scratch(t));
  const stop = demo.prompt(sessionId, "ask-write a x");
  await asked.promise;
  await demo.agent.notify(cancel, { sessionId });
  assert.equal(await stop, "cancelled");
  assert.match(JSON.stringify(demo.updates.at(-1)), /"failed"/);
});

test("a permission request that is cancelled cancels the turn", async (t) => {
  const demo = driveDemo(t, scratch(t));
  const sessionId = await demo.open(scratch(t));
  const stop = await demo.prompt(sessionId, "ask Really?\nwrite after x");
  assert.equal(stop, "cancelled");
  assert.equal(demo.said(), "");
});

test("a cancel right behind its prompt finds the turn", async (t) => {
  const demo = driveDemo(t, scratch(t));
  const sessionId = await demo.open(scratch(t));
  const stop = demo.prompt(sessionId, "sleep 60000");
  await demo.agent.notify(cancel, { sessionId });
  assert.equal(await stop, "cancelled");
});

test("a second prompt during a turn is refused", async (t) => {
  const demo = driveDemo(t, scratch(t));
  const sessionId = await demo.open(scratch(t));
  const first = demo.prompt(sessionId, "hello\nsleep 60000");
  await demo.until(() => demo.said() !== "");
  await assert.rejects(demo.prompt(sessionId, "hello"), /a turn is running/);
  await demo.agent.notify(cancel, { sessionId });
  assert.equal(await first, "cancelled");
});

test("close ends the turn and the session", async (t) => {
  const demo = driveDemo(t, scratch(t));
  const sessionId = await demo.open(scratch(t));
  const turn = demo.prompt(sessionId, "hello\nsleep 60000");
  await demo.until(() => demo.said() !== "");
  await demo.agent.request(close, { sessionId });
  assert.equal(await turn, "cancelled");
  await assert.rejects(demo.prompt(sessionId, "hello"), { code: -32002 });
});
