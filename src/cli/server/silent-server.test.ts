import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { patience } from "../../kit/fixtures/patience.ts";
import { identify } from "../../kit/processes/process-identity.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { SESSION, sampleSession } from "../fixtures/sample.ts";
import { main } from "../main.ts";

const SOON = { quietMs: 1, healthMs: 20, looks: 3 };

const never = () => new Promise<never>(() => undefined);

const frozenServer = (t: TestContext) =>
  fakeServer(t, { health: never, listSessions: never });

const elsewhere = (url: string) =>
  memoryWorld({ env: { REPRISE_TOKEN: "secret", REPRISE_URL: url } });

/** The home of a server that listens at this address, and is this process. */
const homeWith = async (t: TestContext, url: string): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  const file = JSON.stringify({ url, ...(await identify(process.pid)) });
  await writeFile(join(home, "server.json"), file);
  return home;
};

test("[REC-54] a server of this home that does not answer is named, and a command that only reads gives up", async (t) => {
  const { url } = await frozenServer(t);
  const REPRISE_HOME = await homeWith(t, url);
  const { world, out, err } = memoryWorld({ env: { REPRISE_HOME } });
  assert.equal(await main(["session", "list"], world, SOON), 5);
  const silent = `reprise: The server (pid ${process.pid}) does not answer.`;
  const advice =
    "`reprise doctor` looks into it; `reprise up --take-over` puts another in its place, and agents go on.";
  assert.equal(out(), "");
  assert.equal(
    err(),
    `${silent} ${advice}\n${silent} It was waited for long enough.\n${advice}\n`,
  );
});

test("[REC-54] of a server elsewhere no process is named, and with --json there is one document", async (t) => {
  const { url } = await frozenServer(t);
  const { world, err } = elsewhere(url);
  assert.equal(await main(["session", "list"], world, SOON), 5);
  assert.ok(
    err().startsWith(`reprise: The server at ${url} does not answer. Look at `),
  );
  assert.doesNotMatch(err(), /pid|take-over/);
  const json = elsewhere(url);
  assert.equal(await main(["session", "list", "--json"], json.world, SOON), 5);
  const { code, advice } = JSON.parse(json.err());
  assert.equal(code, "server_unreachable");
  assert.match(advice, /^Look at the machine/);
});

/** An answer of which only the beginning comes, until the rest is let through. */
const stalled = (begins: string, rest: Promise<string> = never()) =>
  Readable.from(
    (async function* () {
      yield begins;
      yield await rest;
    })(),
  );

test("[REC-54] a server that freezes in the middle of an answer is noticed", async (t) => {
  const { url } = await fakeServer(t, {
    health: never,
    listSessions: () => stalled('{"sessions":['),
    showSession: () => sampleSession(),
    exportSession: () => stalled("a piece"),
  });
  const directory = await mkdtemp(join(tmpdir(), "reprise-export-"));
  t.after(() => rm(directory, { recursive: true }));
  for (const args of [
    ["session", "list"],
    ["session", "export", SESSION, join(directory, "file")],
  ]) {
    const { world, err } = elsewhere(url);
    assert.equal(await main(args, world, SOON), 5, args.join(" "));
    assert.match(err(), /does not answer\. It was waited for long enough/);
  }
});

test("[REC-54] the rest of an answer still counts, when the server only was slow or the command changes something", async (t) => {
  const session = JSON.stringify(sampleSession({ state: "PAUSED" }));
  const enough = Promise.withResolvers<string>();
  let looks = 0;
  const { url } = await fakeServer(t, {
    health: () => {
      if (++looks > 2 * SOON.looks) enough.resolve(session.slice(9));
      return never();
    },
    showSession: () => sampleSession({ state: "RUNNING" }),
    pauseSession: () => stalled(session.slice(0, 9), enough.promise),
  });
  const { world, out, err } = elsewhere(url);
  assert.equal(await main(["session", "pause", SESSION], world, SOON), 0);
  assert.match(out(), /is PAUSED\./);
  assert.equal(err().match(/does not answer/g)?.length, 1, "told once");
});

test("[REC-54] what changes something is never given up, and its answer still counts", async (t) => {
  const enough = Promise.withResolvers<void>();
  let looks = 0;
  const { url } = await fakeServer(t, {
    health: () => {
      if (++looks > 2 * SOON.looks) enough.resolve();
      return never();
    },
    showSession: () => sampleSession({ state: "RUNNING" }),
    pauseSession: async () => {
      await enough.promise;
      return sampleSession({ state: "PAUSED", is_agent_running: false });
    },
  });
  const { world, out, err } = elsewhere(url);
  assert.equal(await main(["session", "pause", SESSION], world, SOON), 0);
  assert.match(out(), /is PAUSED\./);
  assert.equal(err().match(/does not answer/g)?.length, 1, "told once");
});

test("[REC-54] a server that is busy is waited for without a word", async (t) => {
  const enough = Promise.withResolvers<void>();
  let looks = 0;
  const { url } = await fakeServer(t, {
    health: () => {
      if (++looks === 3) enough.resolve();
      return { status: "ok", version: "1.2.3" };
    },
    showSession: async () => {
      await enough.promise;
      return sampleSession();
    },
  });
  const { world, out, err } = elsewhere(url);
  const busy = { quietMs: 1, healthMs: patience(10_000), looks: 1 };
  assert.equal(await main(["session", "show", SESSION], world, busy), 0);
  assert.match(out(), /WAITING_FOR_INPUT/);
  assert.equal(err(), "");
  assert.ok(looks >= 3);
});
