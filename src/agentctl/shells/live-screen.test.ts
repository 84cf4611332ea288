import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { patience } from "../../kit/fixtures/patience.ts";
import { newShell } from "../fixtures/test-shell.ts";
import { LiveScreen } from "./live-screen.ts";
import { Screens } from "./screen/screens.ts";
import { Scrollback } from "./scrollback.ts";

const STUCK = fileURLToPath(
  new URL("../fixtures/stuck-screens.ts", import.meta.url),
);

test("[SHL-50] a thread that is silent is ended, the screens go on in a new one, and only its shell is to blame", async (t) => {
  const screens = new Screens({ program: STUCK, silentMs: patience(1000) });
  t.after(() => screens.close());
  const open = async () => {
    const directory = await mkdtemp(join(tmpdir(), "screen-"));
    const scrollback = Scrollback.create(directory, { cols: 80, rows: 24 });
    t.after(async () => {
      scrollback.close();
      await rm(directory, { recursive: true });
    });
    const failures: unknown[] = [];
    const caughtUp = Promise.withResolvers<void>();
    const screen = new LiveScreen({
      shell: newShell(),
      screens,
      scrollback,
      onNote: () => undefined,
      onCaughtUp: () => caughtUp.resolve(),
      onFailure: (error) => failures.push(error),
    });
    await screen.snapshot();
    return { screen, failures, caughtUp: caughtUp.promise };
  };
  const stuck = await open();
  const other = await open();
  // More than may wait: its shell is read again only when the thread is given up.
  stuck.screen.show(new Uint8Array(512 * 1024));
  assert.ok(stuck.screen.isBehind);
  assert.equal((await other.screen.snapshot()).cols, 80);
  await stuck.caughtUp;
  assert.equal(screens.generation, 2);
  assert.match(String(stuck.failures), /was silent for/);
  assert.equal(stuck.failures.length, 1);
  assert.deepEqual(other.failures, []);
  assert.equal((await stuck.screen.snapshot()).cols, 80);
});
