import assert from "node:assert/strict";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import { driveDemo, scratch } from "./drive.ts";

/** What was shown of tool calls, as `[status, text of the content]`. */
const toolsOf = (updates: readonly SessionUpdate[]) =>
  updates.flatMap((update) =>
    update.sessionUpdate === "tool_call" ||
    update.sessionUpdate === "tool_call_update"
      ? [update]
      : [],
  );

const outputOf = (updates: readonly SessionUpdate[]): string =>
  (toolsOf(updates).at(-1)?.content ?? [])
    .map((part) =>
      part.type === "content" && part.content.type === "text"
        ? part.content.text
        : "",
    )
    .join("");

test("remember and recall, and talk with the number of prompts", async (t) => {
  const demo = driveDemo(t, scratch(t));
  const session = await demo.open(scratch(t));
  const stop = await demo.prompt(session, "remember pass=mellon\nhello\nthere");
  assert.equal(stop, "end_turn");
  await demo.prompt(session, "recall pass\nrecall fail");
  await demo.prompt(session, "hello again");
  assert.equal(
    demo.said(),
    "I will remember pass.\nYou said: hello\nthere\nI remember 1 prompt.\n" +
      "pass=mellon\nfail is unknown\n" +
      "You said: hello again\nI remember 3 prompts.\n",
  );
  assert.equal(await demo.end(), 0);
});

test("another session knows nothing", async (t) => {
  const demo = driveDemo(t, scratch(t));
  const [one, two] = [await demo.open(scratch(t)), await demo.open(scratch(t))];
  await demo.prompt(one, "remember pass=mellon");
  await demo.prompt(two, "recall pass");
  assert.match(demo.said(), /pass is unknown/);
});

test("count streams one chunk per number, in order", async (t) => {
  const demo = driveDemo(t, scratch(t));
  const session = await demo.open(scratch(t));
  await demo.prompt(session, "count 40 1");
  assert.deepEqual(
    demo.updates.map((update) => update.sessionUpdate),
    Array.from({ length: 40 }, () => "agent_message_chunk"),
  );
  assert.deepEqual(
    demo.said().trim().split("\n").map(Number),
    Array.from({ length: 40 }, (_, i) => i + 1),
  );
});

test("write shows a tool call with the difference", async (t) => {
  const cwd = scratch(t);
  writeFileSync(join(cwd, "a.txt"), "before");
  const demo = driveDemo(t, scratch(t));
  const session = await demo.open(cwd);
  await demo.prompt(session, "write a.txt two  words\nwrite new/b.txt x");
  assert.equal(readFileSync(join(cwd, "a.txt"), "utf8"), "two  words");
  assert.equal(readFileSync(join(cwd, "new/b.txt"), "utf8"), "x");
  const [started, done] = toolsOf(demo.updates);
  assert.equal(started?.kind, "edit");
  assert.equal(done?.status, "completed");
  assert.deepEqual(done?.content, [
    {
      type: "diff",
      path: join(cwd, "a.txt"),
      oldText: "before",
      newText: "two  words",
    },
  ]);
  assert.match(demo.said(), /I wrote a\.txt\.\nI wrote new\/b\.txt\./);
});

test("write does not leave the working directory, by name or by link", async (t) => {
  const outside = scratch(t);
  const cwd = join(outside, "inside");
  mkdirSync(cwd);
  symlinkSync(outside, join(cwd, "link"));
  const demo = driveDemo(t, scratch(t));
  const session = await demo.open(cwd);
  const absolute = join(outside, "c.txt");
  await demo.prompt(
    session,
    `write ../a.txt x\nwrite link/b.txt x\nwrite ${absolute} x\nwrite . x`,
  );
  for (const name of ["a.txt", "b.txt", "c.txt"])
    assert.equal(existsSync(join(outside, name)), false, name);
  assert.equal(
    demo.said().match(/outside of the working directory/g)?.length,
    4,
  );
  assert.equal(
    toolsOf(demo.updates).filter(({ status }) => status === "failed").length,
    4,
  );
});

test("ask offers three options and says what was chosen", async (t) => {
  const kinds: string[] = [];
  const demo = driveDemo(t, scratch(t), {
    permit: ({ options, toolCall }) => {
      assert.equal(toolCall.title, "May I?");
      kinds.push(...options.map(({ kind }) => kind));
      return { outcome: "selected", optionId: options[1]?.optionId ?? "" };
    },
  });
  const session = await demo.open(scratch(t));
  await demo.prompt(session, "ask May I?");
  assert.deepEqual(kinds, ["allow_once", "allow_always", "reject_once"]);
  assert.equal(demo.said(), "You chose allow_always.\n");
});

test("ask-write writes only if allowed", async (t) => {
  const cwd = scratch(t);
  const demo = driveDemo(t, scratch(t), {
    permit: ({ options, toolCall }) => {
      const kind = toolCall.title?.includes("yes")
        ? "allow_once"
        : "reject_once";
      const option = options.find((each) => each.kind === kind);
      return { outcome: "selected", optionId: option?.optionId ?? "" };
    },
  });
  const session = await demo.open(cwd);
  const stop = await demo.prompt(session, "ask-write yes 1\nask-write no 1");
  assert.equal(stop, "end_turn");
  assert.equal(readFileSync(join(cwd, "yes"), "utf8"), "1");
  assert.equal(existsSync(join(cwd, "no")), false);
  assert.match(demo.said(), /no was not written: you chose reject_once/);
});

test("run streams output, shows the exit code, and has a process session of its own", async (t) => {
  const cwd = scratch(t);
  const demo = driveDemo(t, scratch(t));
  const session = await demo.open(cwd);
  await demo.prompt(
    session,
    "run echo out; echo err >&2; ps -o pgid= -p $$ > pgid; echo $$ > pid; exit 3",
  );
  const [started] = toolsOf(demo.updates);
  assert.equal(started?.kind, "execute");
  assert.equal(toolsOf(demo.updates).at(-1)?.status, "failed");
  assert.match(outputOf(demo.updates), /out\n/);
  assert.match(outputOf(demo.updates), /err\n/);
  assert.match(outputOf(demo.updates), /\[exit code 3\]$/);
  const numberIn = (name: string) =>
    Number(readFileSync(join(cwd, name), "utf8"));
  assert.equal(numberIn("pgid"), numberIn("pid"));
  assert.match(demo.said(), /ended with exit code 3/);
});

test("run does not wait for what a command leaves in the background", async (t) => {
  const cwd = scratch(t);
  const demo = driveDemo(t, scratch(t));
  const session = await demo.open(cwd);
  await demo.prompt(session, "run sleep 60 & echo $! > pid; echo done");
  process.kill(Number(readFileSync(join(cwd, "pid"), "utf8")));
  assert.match(outputOf(demo.updates), /^done\n\[exit code 0\]$/);
});

test("big gives a tool result of that many KiB", async (t) => {
  const demo = driveDemo(t, scratch(t));
  const session = await demo.open(scratch(t));
  await demo.prompt(session, "big 300");
  assert.equal(Buffer.byteLength(outputOf(demo.updates)), 300 * 1024);
});

test("a prompt of 5 MB is taken whole", async (t) => {
  const demo = driveDemo(t, scratch(t));
  const session = await demo.open(scratch(t));
  const text = "é".repeat(2.5 * 1024 * 1024);
  await demo.prompt(session, text);
  assert.equal(demo.said(), `You said: ${text}\nI remember 1 prompt.\n`);
});

test("crash is a SIGKILL", async (t) => {
  const demo = driveDemo(t, scratch(t));
  const session = await demo.open(scratch(t));
  const exited = once(demo.child, "exit");
  await assert.rejects(demo.prompt(session, "before\ncrash\nafter"));
  assert.deepEqual(await exited, [null, "SIGKILL"]);
  assert.equal(demo.said(), "You said: before\nI remember 1 prompt.\n");
});

test("SIGTERM ends it with code 0", async (t) => {
  const demo = driveDemo(t, scratch(t));
  await demo.initialize();
  const exited = once(demo.child, "exit");
  demo.child.kill("SIGTERM");
  assert.deepEqual(await exited, [0, null]);
});
