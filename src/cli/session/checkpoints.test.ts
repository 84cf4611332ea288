import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Rewound } from "../../contract/api/checkpoint-route.ts";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import { main } from "../main.ts";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import {
  SESSION,
  sampleCheckpoint,
  sampleSession,
} from "../fixtures/sample.ts";

const plan: Rewound = {
  turn: 3,
  checkpoint: checkpointId(41),
  changes: [
    { path: "new.txt", kind: "removed" },
    { path: "a.txt", kind: "modified" },
  ],
  conflicts: [],
  conversation: "native",
  truncated: false,
  session: sampleSession(),
};

/** The command line without a process of its own. */
const runCli = async (
  argv: readonly string[],
  { url, cwd = "/somewhere" }: { url: string; cwd?: string },
) => {
  const env = { REPRISE_URL: url, REPRISE_TOKEN: "secret" };
  const { world, out, err } = memoryWorld({ env, cwd });
  const code = await main(argv, world);
  return { code, stdout: out(), stderr: err() };
};

const folder = async (t: TestContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), "reprise-cli-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
};

test("[CPT-7] a dry run says what a rewind would change, and asks for nothing else", async (t) => {
  const { url, asked } = await fakeServer(t, { rewindSession: () => plan });
  const { code, stdout } = await runCli(
    ["session", "rewind", SESSION, "3", "--dry-run"],
    { url },
  );
  assert.equal(code, 0);
  assert.deepEqual(asked[0]?.body, { turn: 3, dry_run: true });
  assert.equal(
    stdout,
    [
      "Going back to turn 3 (chk_41) would change 2 paths:",
      "  - new.txt",
      "  ~ a.txt",
      "The agent then goes on from its own session as it was after turn 3.",
      "",
    ].join("\n"),
  );
});

test("[CPT-21] a rewind says what it leaves alone", async (t) => {
  const left_alone = [{ path: "data", reason: "mounted" }];
  const { url } = await fakeServer(t, {
    rewindSession: () => ({ ...plan, left_alone }),
  });
  for (const more of [["--dry-run"], []]) {
    const argv = ["session", "rewind", SESSION, "3", ...more];
    const { stdout } = await runCli(argv, { url });
    assert.match(
      stdout,
      /~ a\.txt\n {2}\? data \(left alone: something is mounted there\)\n/,
    );
  }
});

test("[CPT-7] a rewind says what it did and how to undo it", async (t) => {
  const { url, asked } = await fakeServer(t, {
    rewindSession: () => ({
      ...plan,
      undo: { turn: 5, checkpoint: "chk_57", conversation: "native" },
    }),
  });
  const { stdout } = await runCli(["session", "rewind", SESSION, "chk_41"], {
    url,
  });
  const body = { checkpoint: "chk_41", dry_run: false, edits: "refuse" };
  assert.deepEqual(asked[0]?.body, body);
  assert.match(stdout, /is back at turn 3 \(chk_41\); 2 paths changed\./);
  assert.match(
    stdout,
    new RegExp(`Undo it with \`reprise session rewind ${SESSION} chk_57\``),
  );
});

test("[CPT-8] a rewind that is refused is exit 4; a moment that is none is exit 2", async (t) => {
  const { url } = await fakeServer(t, {
    rewindSession: () => {
      throw refusal("rewind_conflict", "Others changed a.txt.");
    },
  });
  const conflict = await runCli(["session", "rewind", SESSION, "3"], {
    url,
  });
  assert.equal(conflict.code, 4);
  assert.match(conflict.stderr, /Others changed a\.txt/);
  const odd = await runCli(["session", "rewind", SESSION, "first"], { url });
  assert.equal(odd.code, 2);
  assert.match(odd.stderr, /`reprise session checkpoints ses_01jm/);
});

test("[CPT-10] [CPT-15] a fork and a session in a worktree are shown with what to do next", async (t) => {
  const { url, asked } = await fakeServer(t, {
    forkSession: () =>
      sampleSession({ parent: { session_id: SESSION, turn: 2 } }),
    createSession: () => sampleSession(),
  });
  const forked = await runCli(["session", "fork", SESSION, "2"], { url });
  assert.match(
    forked.stdout,
    new RegExp(
      `^${SESSION} forked from ${SESSION} after turn 2: demo in /work`,
    ),
  );
  assert.match(forked.stdout, /session prompt/);
  const repository = await folder(t);
  await runCli(
    ["session", "start", "--worktree", repository, "--no-checkpoints"],
    { url },
  );
  assert.deepEqual(asked.at(-1)?.body, {
    worktree: repository,
    checkpoints: false,
  });
  const both = await runCli(
    ["session", "start", "--worktree", "/a", "--cwd", "/b"],
    { url },
  );
  assert.equal(both.code, 2);
});

test("[CPT-11] a diff is shown as a list and as text, with nothing in it that a terminal obeys", async (t) => {
  const { url, asked } = await fakeServer(t, {
    showDiff: () => ({
      from: "chk_3",
      to: "chk_9",
      changes: [{ path: "a.txt", kind: "modified" }],
      text: "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+two\u001b[2J\n",
      truncated: false,
    }),
  });
  const { stdout } = await runCli(["session", "diff", SESSION, "0", "now"], {
    url,
  });
  assert.deepEqual(asked[0]?.query, { text: "true", from: "0", to: "now" });
  assert.equal(
    stdout,
    "1 path changed (chk_3 → chk_9):\n  ~ a.txt\n\n--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+two\n",
  );
});

test("[CPT-13] a session is exported into a new file, whole, and imported again", async (t) => {
  const cwd = await folder(t);
  const { url, asked } = await fakeServer(t, {
    exportSession: () => Buffer.from("the whole file"),
    showSession: () => sampleSession(),
    importSession: () => sampleSession({ state: "PAUSED" }),
  });
  const options = { url, cwd };
  const out = await runCli(
    ["session", "export", SESSION, "s.reprise"],
    options,
  );
  assert.equal(out.code, 0);
  assert.equal(
    await readFile(join(cwd, "s.reprise"), "utf8"),
    "the whole file",
  );
  assert.deepEqual(await readdir(cwd), ["s.reprise"]);
  const again = await runCli(
    ["session", "export", SESSION, "s.reprise"],
    options,
  );
  assert.equal(again.code, 4);
  const back = await runCli(
    ["session", "import", "s.reprise", "--cwd", "new"],
    options,
  );
  assert.equal(back.code, 0);
  assert.equal(asked.at(-1)?.body, "the whole file");
  assert.deepEqual(asked.at(-1)?.query, { cwd: join(cwd, "new") });
  assert.match(back.stdout, /imported: demo in/);
});

test("[CPT-13] [API-49] an export that is refused leaves nothing, and a file that is not there is exit 3", async (t) => {
  const cwd = await folder(t);
  await writeFile(join(cwd, "other"), "");
  const { url } = await fakeServer(t, {
    exportSession: () => {
      throw refusal("wrong_state");
    },
  });
  const options = { url, cwd };
  const out = await runCli(["session", "export", SESSION, "file"], options);
  assert.equal(out.code, 4);
  assert.deepEqual(await readdir(cwd), ["other"]);
  const nowhere = await runCli(["session", "export", SESSION, "no/f"], options);
  assert.equal(nowhere.code, 3);
  assert.match(nowhere.stderr, /is not a directory that is there/);
  const missing = await runCli(["session", "import", "nothing"], options);
  assert.equal(missing.code, 3);
  const directory = await runCli(["session", "import", "."], options);
  assert.equal(directory.code, 2);
  assert.match(directory.stderr, /is no file/);
});

test("[API-131] undelete of a session that was not in the trash says so", async (t) => {
  const { url } = await fakeServer(t, {
    showSession: () => sampleSession(),
    undeleteSession: () => sampleSession(),
  });
  const { code, stdout } = await runCli(["session", "undelete", SESSION], {
    url,
  });
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `${SESSION} was not in the trash. It is WAITING_FOR_INPUT.\n`,
  );
});

test("[CPT-14] deleting, the trash, undeleting and collecting say what became of things", async (t) => {
  const deleted_at = "2026-03-01T12:00:00.000Z";
  const { url, asked } = await fakeServer(t, {
    deleteSession: () => sampleSession({ deleted_at }),
    undeleteSession: () => sampleSession(),
    showSession: () => sampleSession({ deleted_at }),
    listSessions: ({ query }) => ({
      sessions: query["deleted"] === "true" ? [sampleSession()] : [],
      next: null,
    }),
    collectGarbage: () => ({
      dry_run: true,
      ended: [],
      deleted: [],
      purged: [SESSION],
      freed_bytes: 2048,
      kept_bytes: 4096,
    }),
    showDiskUse: () => ({
      sessions: [{ id: SESSION, name: "it", deleted_at, bytes: 2048 }],
      total_bytes: 6144,
    }),
  });
  const options = { url };
  const gone = await runCli(["session", "delete", SESSION], options);
  assert.match(gone.stdout, /in the trash\. Take it out again with/);
  const trash = await runCli(["session", "list", "--deleted"], options);
  assert.match(trash.stdout, new RegExp(SESSION));
  // The beginning of its id is found in the trash too.
  const back = await runCli(["session", "undelete", "ses_01jm"], options);
  assert.equal(back.stdout, `${SESSION} is back. It is WAITING_FOR_INPUT.\n`);
  const gc = await runCli(["gc", "--dry-run"], options);
  assert.deepEqual(asked.find(({ name }) => name === "collectGarbage")?.body, {
    dry_run: true,
  });
  assert.match(gc.stdout, /^1 session would be gone for good/);
  assert.match(gc.stdout, /2\.0 KiB would be freed, 4\.0 KiB kept\./);
  assert.match(gc.stdout, /2\.0 KiB {2}it \(in the trash\)/);
});

test("[CPT-12] a handoff says whose it is now", async (t) => {
  const { url, asked } = await fakeServer(t, {
    handOffSession: () => sampleSession({ agent: "demo-inject" }),
  });
  const { stdout } = await runCli(
    ["session", "handoff", SESSION, "--agent", "demo-inject"],
    { url },
  );
  assert.deepEqual(asked[0]?.body, { agent: "demo-inject" });
  assert.match(stdout, /is demo-inject's now\. It starts with the next prompt/);
});

test("[CPT-3] show names the newest checkpoint and what all of them take", async (t) => {
  const { url } = await fakeServer(t, {
    showSession: () => sampleSession(),
    listCheckpoints: () => ({ checkpoints: [sampleCheckpoint(9)], next: null }),
    showDiskUse: () => ({
      sessions: [{ id: SESSION, name: null, deleted_at: null, bytes: 2048 }],
      total_bytes: 2048,
    }),
  });
  const { stdout } = await runCli(["session", "show", SESSION], { url });
  assert.match(stdout, /checkpoint +chk_9, after turn 1, 3 min ago/);
  assert.match(stdout, /captured +2\.0 KiB before compression/);
});

test("[CPT-7] show counts the turns that a rewind left behind apart", async (t) => {
  const { url } = await fakeServer(t, {
    showSession: () => sampleSession({ turn_count: 5, turns_left_behind: 2 }),
    listCheckpoints: () => ({ checkpoints: [], next: null }),
  });
  const { stdout } = await runCli(["session", "show", SESSION], { url });
  assert.match(stdout, /turns +3, and 2 left behind by a rewind\n/);
});
