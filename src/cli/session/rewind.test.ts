import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rewound } from "../../contract/api/checkpoint-route.ts";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import { RewindRequest } from "../../contract/api/request.ts";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { SESSION, sampleSession } from "../fixtures/sample.ts";
import { main } from "../main.ts";

const hash = (digit: string): string => digit.repeat(40);

const plan: Rewound = {
  turn: 3,
  checkpoint: checkpointId(41),
  changes: [{ path: "a.txt", kind: "modified" }],
  conflicts: [],
  conversation: "native",
  truncated: false,
  session: sampleSession(),
  edits: [{ path: "mine.txt", kind: "removed" }],
  keeps_edits: false,
  head: {
    was: { head: hash("1"), branch: "refs/heads/main" },
    now: { head: hash("2"), branch: null },
    moves: true,
    commits: [{ id: hash("2"), subject: "my commit" }],
  },
};

const rewind = async (url: string, ...more: string[]) => {
  const env = { REPRISE_URL: url, REPRISE_TOKEN: "secret" };
  const { world, out, err } = memoryWorld({ env, cwd: "/somewhere" });
  const argv = ["session", "rewind", SESSION, "3", ...more];
  const code = await main(argv, world);
  return { code, stdout: out(), stderr: err() };
};

test("[CPT-32] what would undo a person's work is shown and not done", async (t) => {
  const { url, asked } = await fakeServer(t, {
    rewindSession: ({ body }) => {
      if (RewindRequest.parse(body).dry_run) return plan;
      throw refusal("rewind_unconfirmed", "Somebody changed files.");
    },
  });
  const { code, stderr } = await rewind(url);
  assert.equal(code, 4);
  assert.deepEqual(
    asked.map(({ body }) => body),
    [
      { turn: 3, dry_run: false, edits: "refuse" },
      { turn: 3, dry_run: true },
    ],
  );
  for (const words of [
    "Nothing was touched.",
    "1 path changed between turns, not by the agent; would be undone with the rest:",
    "- mine.txt",
    "HEAD is at 2222222222 and would go back to 1111111111 (main).",
    "1 commit since, which would not be on HEAD any more; git keeps it:",
    "2222222222 my commit",
    `\`reprise session rewind ${SESSION} 3 --yes\``,
    `\`reprise session rewind ${SESSION} 3 --keep-edits\``,
  ])
    assert.ok(stderr.includes(words), `${words} in ${stderr}`);
});

test("[CPT-32] it is done when that was said, one way or the other", async (t) => {
  const { url, asked } = await fakeServer(t, {
    rewindSession: () => ({ ...plan, keeps_edits: true }),
  });
  assert.equal((await rewind(url, "--yes")).code, 0);
  const kept = await rewind(url, "--keep-edits");
  assert.match(
    kept.stdout,
    /not by the agent; left as it is:\n {2}= mine\.txt$/m,
  );
  assert.deepEqual(
    asked.flatMap(({ body }) => (body === undefined ? [] : [body])),
    [
      { turn: 3, dry_run: false },
      { turn: 3, dry_run: false, edits: "keep" },
    ],
  );
  assert.equal((await rewind(url, "--yes", "--keep-edits")).code, 2);
});

test("[CPT-50] [CPT-52] what was done is told as done, with the command that undoes it and what the agent knows then", async (t) => {
  const undone = async (conversation: Rewound["conversation"]) => {
    const { url } = await fakeServer(t, {
      rewindSession: () => ({
        ...plan,
        undo: { turn: 5, checkpoint: checkpointId(57), conversation },
      }),
    });
    return (await rewind(url, "--yes")).stdout;
  };
  const native = await undone("native");
  for (const words of [
    "not by the agent; undone with the rest:\n  - mine.txt\n",
    "HEAD was at 2222222222 and is back at 1111111111 (main).",
    "1 commit since, not on HEAD any more; git keeps it:",
    `Undo it with \`reprise session rewind ${SESSION} chk_57\`. That brings back the files and what the agent remembered before the rewind.`,
  ])
    assert.ok(native.includes(words), `${words} in ${native}`);
  assert.doesNotMatch(native, /would/);
  assert.match(
    await undone("injected"),
    /told with the next prompt what was said up to turn 5\./,
  );
  assert.match(await undone("fresh"), /but not what the agent remembered/);
});

test("[CPT-50] where nothing was captured no undo is promised", async (t) => {
  const { url } = await fakeServer(t, { rewindSession: () => plan });
  assert.doesNotMatch((await rewind(url, "--yes")).stdout, /Undo/);
});
