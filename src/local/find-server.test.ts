import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { identify } from "../kit/processes/process-identity.ts";
import { DEFAULT_URL, findServer } from "./find-server.ts";

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

const invalid = { name: "RepriseError", code: "invalid_request" };

const find = (env: Record<string, string>) => findServer({ env, cwd: "/" });

/** What this very process would have written, were it a server. */
const running = async (): Promise<string> => {
  const identity = await identify(process.pid);
  return JSON.stringify({ url: "http://127.0.0.1:1234", ...identity });
};

test("the environment wins over the server of the home", async (t) => {
  const REPRISE_HOME = await homeWith(t, {
    "server.json": await running(),
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
});

test("[REC-51] where no server of the home runs, nobody is asked, and nobody gets its token", async (t) => {
  const { pid } = process;
  const self = await identify(pid);
  const url = "http://127.0.0.1:1234";
  const token = "t";
  for (const file of [
    { token },
    { token, "server.json": "{" },
    { token, "server.json": JSON.stringify({ url, pid }) },
    {
      token,
      "server.json": JSON.stringify({ url, ...self, start_time: "1" }),
    },
  ]) {
    const REPRISE_HOME = await homeWith(t, file);
    await assert.rejects(find({ REPRISE_HOME }), {
      name: "ServerUnreachable",
      message: `No server runs for ${REPRISE_HOME}.`,
    });
    // Whoever gives a token means the server at the usual address.
    assert.deepEqual(await find({ REPRISE_HOME, REPRISE_TOKEN: "mine" }), {
      url: DEFAULT_URL,
      token: "mine",
    });
  }
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

test("an address that is none is wrong usage", async () => {
  await assert.rejects(find({ REPRISE_URL: "localhost" }), invalid);
  await assert.rejects(find({ REPRISE_URL: "file:///etc" }), invalid);
});
