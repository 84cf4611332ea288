import assert from "node:assert/strict";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { fakeServer } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { SESSION, sampleSession } from "../fixtures/sample.ts";

/** Exports from a server whose answer breaks off when the first piece of it is being written. */
const brokenOff = async (t: TestContext, isServerGone: boolean) => {
  const cwd = await mkdtemp(join(tmpdir(), "reprise-export-"));
  t.after(() => rm(cwd, { recursive: true }));
  const watcher = watch(cwd);
  t.after(() => watcher.close());
  const written = once(watcher, "change");
  const server = await fakeServer(t, {
    exportSession: () =>
      Readable.from(
        (async function* () {
          yield "a piece";
          await written;
          if (isServerGone) server.close();
          throw new Error("gone");
        })(),
      ),
    showSession: () => sampleSession(),
    health: () => ({ status: "ok", version: "1.0.0" }),
  });
  const { code, stdout, stderr } = await runCli(
    t,
    ["session", "export", SESSION, join(cwd, "file")],
    { url: server.url },
  );
  assert.equal(stdout, "");
  assert.deepEqual(await readdir(cwd), []);
  return { code, stderr };
};

test("[API-155] an export that breaks off because of agentctl says so, that nothing was written, and to run it again", async (t) => {
  assert.deepEqual(await brokenOff(t, false), {
    code: 1,
    stderr:
      "reprise: The export broke off, because agentctl or the server's connection to it went away. Nothing was written; run it again.\n",
  });
});

test("[API-155] an export that breaks off because the server went away says so", async (t) => {
  assert.deepEqual(await brokenOff(t, true), {
    code: 5,
    stderr:
      "reprise: The export broke off, because the server went away. Nothing was written; run it again when the server is up.\nStart it with `reprise up`.\n",
  });
});
