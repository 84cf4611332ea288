import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { MAX_SHELL_SIDE } from "../../contract/session/shell-size.ts";
import { patience } from "../../kit/fixtures/patience.ts";
import { newShell } from "../fixtures/test-shell.ts";
import { LiveScreen } from "./live-screen.ts";
import type { Size } from "./screen/screen-messages.ts";
import { Screens } from "./screen/screens.ts";
import { Scrollback } from "./scrollback.ts";

const STUCK = fileURLToPath(
  new URL("../fixtures/stuck-screens.ts", import.meta.url),
);
/** A terminal is made anew by each: on the largest screen that takes about a millisecond. */
const RESET = Buffer.from("\x1bc");
const LARGEST = { cols: MAX_SHELL_SIDE, rows: 200 };
const USUAL = { cols: 80, rows: 24 };

const open = async (t: TestContext, screens: Screens, size: Size = USUAL) => {
  const directory = await mkdtemp(join(tmpdir(), "screen-"));
  const scrollback = Scrollback.create(directory, size);
  t.after(async () => {
    scrollback.close();
    await rm(directory, { recursive: true, maxRetries: 10 });
  });
  const failures: unknown[] = [];
  const answers: string[] = [];
  const caughtUp = Promise.withResolvers<void>();
  const screen = new LiveScreen({
    shell: newShell(),
    screens,
    scrollback,
    onNote: (note) => {
      if (note.kind === "answer") answers.push(note.text);
    },
    onCaughtUp: () => caughtUp.resolve(),
    onFailure: (error) => failures.push(error),
  });
  t.after(() => screen.leave());
  const show = (bytes: Uint8Array): void => {
    scrollback.append(bytes);
    screen.show();
  };
  const seen = async (): Promise<string> =>
    Buffer.from((await screen.snapshot()).bytes).toString();
  return {
    screen,
    scrollback,
    show,
    seen,
    failures,
    answers,
    caughtUp: caughtUp.promise,
  };
};

const openScreens = (
  t: TestContext,
  settings: ConstructorParameters<typeof Screens>[0] = {},
): Screens => {
  const screens = new Screens(settings);
  t.after(() => screens.close());
  return screens;
};

/** So many bytes of resets. */
const resets = (bytes: number): Buffer => Buffer.alloc(bytes, RESET);

test("[SHL-50] a thread that is silent is ended, the screens go on in a new one, and only its shell is to blame", async (t) => {
  const screens = openScreens(t, { program: STUCK, silentMs: patience(1000) });
  const stuck = await open(t, screens);
  const other = await open(t, screens);
  assert.equal((await other.screen.snapshot()).cols, 80);
  // More than may wait: its shell is read again only when the thread is given up.
  stuck.show(new Uint8Array(512 * 1024));
  assert.ok(stuck.screen.isBehind);
  assert.equal((await other.screen.snapshot()).cols, 80);
  await stuck.caughtUp;
  // It is tried three times.
  assert.equal(stuck.failures.length, 3);
  assert.match(String(stuck.failures), /was silent for/);
  assert.deepEqual(other.failures, []);
  assert.equal((await stuck.screen.snapshot()).cols, 80);
  assert.equal((await other.screen.snapshot()).cols, 80);
  assert.equal(screens.generation, 4);
});

test("[SHL-52] while one shell floods the thread, the screens of others are drawn and told", async (t) => {
  const screens = openScreens(t);
  const flooding = await open(t, screens, LARGEST);
  const others = [await open(t, screens), await open(t, screens)];
  // To draw all of it takes minutes.
  flooding.show(resets(512 * 1024));
  for (let at = 0; at < 5; at++)
    for (const { show, seen } of others) {
      show(Buffer.from(`words ${at}\r\n`));
      assert.match(await seen(), new RegExp(`words ${at}`));
    }
  // A turn is long enough for a few of its bytes only.
  assert.ok(flooding.screen.isBehind);
  assert.deepEqual(flooding.failures, []);
});

test("[SHL-52] who draws in turns shows everything, in its order, once, and answers once", async (t) => {
  const screens = openScreens(t);
  const shells = [await open(t, screens), await open(t, screens)];
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}\r\n`);
  for (const { show } of shells)
    show(Buffer.from(`\x1b[5n${lines.join("")}\x1b[5nthe end`));
  for (const { seen, scrollback, screen, answers, failures } of shells) {
    const text = await seen();
    const numbers = [...text.matchAll(/line (\d+)/g)].map((it) =>
      Number(it[1]),
    );
    // Lines that are kept above the screen, and those on it.
    const first = lines.length - numbers.length;
    assert.ok(numbers.length >= 1000);
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => first + at),
    );
    assert.equal((await screen.snapshot(true)).offset, scrollback.end);
    assert.deepEqual(answers, ["\x1b[0n", "\x1b[0n"]);
    assert.deepEqual(failures, []);
  }
});

test("[SHL-53] a snapshot of a shell that floods is told before all of it is drawn, and is cut behind a whole sequence", async (t) => {
  const screens = openScreens(t);
  const { show, screen, scrollback } = await open(t, screens, LARGEST);
  // A turn ends in the middle of one.
  show(Buffer.alloc(300 * 1024, "\x1b[38;5;1m\x1bc"));
  for (const last of [false, true]) {
    const { offset } = await screen.snapshot(last);
    assert.ok(offset > 0 && offset < scrollback.end, `${offset}`);
    assert.ok([0, 9].includes(offset % 11), `${offset}`);
  }
  await screen.close();
});

test("[SHL-4] [SHL-52] sizes are taken where they were changed, also when the screen is drawn from the disk", async (t) => {
  const screens = openScreens(t);
  const { show, screen, scrollback, seen, answers } = await open(t, screens);
  const where = Buffer.from("\x1b[999;999H\x1b[6n");
  const resize = (size: Size): void => {
    scrollback.resized(size);
    screen.resized();
  };
  show(where);
  resize({ cols: 100, rows: 30 });
  show(where);
  resize({ cols: 70, rows: 20 });
  show(where);
  await seen();
  assert.deepEqual(answers, ["\x1b[24;80R", "\x1b[30;100R", "\x1b[20;70R"]);
  const before = await seen();
  await screens.close();
  assert.equal(await seen(), before);
  assert.equal(screens.generation, 2);
  assert.equal(answers.length, 3);
  const { cols, rows } = await screen.snapshot();
  assert.deepEqual({ cols, rows }, { cols: 70, rows: 20 });
});

test("[SHL-54] who waits for a snapshot when agentctl ends is told so, and nothing is begun anew", async (t) => {
  const screens = openScreens(t);
  const { show, screen, scrollback } = await open(t, screens);
  show(Buffer.from("words"));
  const waiting = assert.rejects(screen.snapshot(), /lets go of the shell/);
  screen.leave();
  await screens.close();
  await waiting;
  await assert.rejects(screen.snapshot(), /lets go of the shell/);
  assert.equal(screens.generation, 1);
  assert.equal(scrollback.end, 5);
});
