import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { identify } from "../../kit/processes/process-identity.ts";
import { fakeServer, type FakeServer } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { numbered, sampleSession, wholeTurn } from "../fixtures/sample.ts";

const homeOf = async (t: TestContext) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-moved-"));
  t.after(() => rm(home, { recursive: true }));
  const identity = await identify(process.pid);
  const listensAt = (url: string): Promise<void> =>
    writeFile(join(home, "server.json"), JSON.stringify({ ...identity, url }), {
      mode: 0o600,
    });
  return { home, listensAt };
};

const serverWith = (t: TestContext): Promise<FakeServer> =>
  fakeServer(t, {
    createSession: () => sampleSession({ state: "STARTING", last_seq: 1 }),
    showSession: () => sampleSession({ last_seq: wholeTurn.length }),
  });

void test("[API-179] who follows finds the next server of the home where that listens", async (t) => {
  const [first, next] = [await serverWith(t), await serverWith(t)];
  const { home, listensAt } = await homeOf(t);
  await listensAt(first.url);
  const events = numbered(1, wholeTurn);
  first.publish(...events.slice(0, 3));
  next.publish(...events);
  let isMoved = false;
  const { code, stdout, stderr } = await runCli(
    t,
    ["session", "start", "go", "--follow"],
    {
      env: { REPRISE_HOME: home },
      watch: (sofar) => {
        if (isMoved || !sofar.includes("> go")) return;
        isMoved = true;
        void listensAt(next.url).then(first.close);
      },
    },
  );
  assert.equal(code, 0, stderr);
  assert.match(stderr, /the server is gone[^]*the server is back/);
  assert.match(stdout, /turn 1/);
});
