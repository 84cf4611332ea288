import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { DEFAULT_URL, findServer } from "./connection.ts";
import { UsageError } from "./usage-error.ts";

const homeWith = async (
  t: TestContext,
  files: Record<string, string>,
): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  for (const [name, text] of Object.entries(files))
    await writeFile(join(home, name), text);
  return home;
};

const find = (env: Record<string, string>) => findServer({ env, cwd: "/" });

test("the environment wins over the home, the home over the default", async (t) => {
  const server = JSON.stringify({ url: "http://127.0.0.1:1234", pid: 1 });
  const REPRISE_HOME = await homeWith(t, {
    "server.json": server,
    token: "t\n",
  });
  assert.deepEqual(await find({ REPRISE_HOME }), {
    url: "http://127.0.0.1:1234",
    token: "t",
  });
  const asked = {
    REPRISE_HOME,
    REPRISE_URL: "http://localhost:5",
    REPRISE_TOKEN: "mine",
  };
  assert.deepEqual(await find(asked), {
    url: "http://localhost:5",
    token: "mine",
  });
  const empty = await homeWith(t, {});
  assert.equal((await find({ REPRISE_HOME: empty })).url, DEFAULT_URL);
});

test("the home's token is never sent to another machine", async (t) => {
  const REPRISE_HOME = await homeWith(t, { token: "t" });
  for (const REPRISE_URL of [
    "https://reprise.example",
    "http://127.0.0.1.example",
    "http://localhost.example:7420",
  ])
    assert.equal((await find({ REPRISE_HOME, REPRISE_URL })).token, undefined);
});

test("a damaged server.json is as good as none", async (t) => {
  const REPRISE_HOME = await homeWith(t, { "server.json": "{" });
  assert.equal((await find({ REPRISE_HOME })).url, DEFAULT_URL);
});

test("an address that is none is wrong usage", async () => {
  await assert.rejects(find({ REPRISE_URL: "localhost" }), UsageError);
  await assert.rejects(find({ REPRISE_URL: "file:///etc" }), UsageError);
});
