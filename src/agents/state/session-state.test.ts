import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { scratch } from "../fixtures/scratch.ts";
import { demoState } from "../demo/demo.ts";

const HEADER = {
  type: "session",
  version: 1,
  id: "one",
  cwd: "/old",
  at: "2026-11-15T10:00:00.000Z",
};
const PROMPT =
  '{"type":"prompt", "at":"2026-11-15T10:00:01.000Z","text":"one"}';

const saved = (t: TestContext) => {
  const path = join(scratch(t), "saved");
  writeFileSync(path, `${JSON.stringify(HEADER)}\n${PROMPT}\n`);
  return [{ name: "session.jsonl", path }];
};

const somewhere = (t: TestContext) => {
  const home = scratch(t);
  const file = (id: string) =>
    join(home, ".reprise-demo", "sessions", `${id}.jsonl`);
  return { where: { home, cwd: "/new", env: {} }, file };
};

const from = { cwd: "/old", token: "one" };

test("[P8] a saved session is placed under its id, in the new directory; other lines stay to the byte", async (t) => {
  const { where, file } = somewhere(t);
  const placed = await demoState.put(saved(t), from, {
    ...where,
    token: "one",
  });
  assert.deepEqual(placed, { token: "one" });
  const [header, prompt] = readFileSync(file("one"), "utf8").split("\n");
  assert.deepEqual(JSON.parse(header ?? ""), { ...HEADER, cwd: "/new" });
  assert.equal(prompt, PROMPT);
  assert.deepEqual(readdirSync(dirname(file("one"))), ["one.jsonl"]);
  const [collected] = await demoState.collect(where, "one", scratch(t));
  assert.deepEqual(collected, { name: "session.jsonl", path: file("one") });
});

test("[P8] placing again changes nothing, also when the agent has written on", async (t) => {
  const { where, file } = somewhere(t);
  const files = saved(t);
  await demoState.put(files, from, { ...where, token: "one" });
  const grown = `${readFileSync(file("one"), "utf8")}${PROMPT}\n`;
  writeFileSync(file("one"), grown);
  const again = await demoState.put(files, from, { ...where, token: "one" });
  assert.deepEqual(again, { token: "one" });
  assert.equal(readFileSync(file("one"), "utf8"), grown);
});

test("[P8] what stands under the id already is left alone: a fresh id is given", async (t) => {
  const { where, file } = somewhere(t);
  mkdirSync(dirname(file("one")), { recursive: true });
  writeFileSync(file("one"), "theirs");
  const { token } = await demoState.put(saved(t), from, {
    ...where,
    token: "one",
  });
  assert.notEqual(token, "one");
  assert.equal(readFileSync(file("one"), "utf8"), "theirs");
  const [header] = readFileSync(file(token), "utf8").split("\n");
  assert.deepEqual(JSON.parse(header ?? ""), {
    ...HEADER,
    id: token,
    cwd: "/new",
  });
});

test("[P8] an id that is no name, and files that were not saved, are refused", async (t) => {
  const { where } = somewhere(t);
  await assert.rejects(
    demoState.put(saved(t), from, { ...where, token: "../one" }),
    /no session id/,
  );
  await assert.rejects(
    demoState.put([], from, { ...where, token: "one" }),
    /was not saved/,
  );
  assert.deepEqual(await demoState.collect(where, "one", scratch(t)), []);
});
