/** Kills a real process at every crash point on its way through what is written into an agent's home, and looks at what is left. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { test, type TestContext } from "node:test";
import { COMPILED } from "../kit/fixtures/compiled.ts";
import { placeAll } from "./fixtures/place-all.ts";
import { scratch } from "./fixtures/scratch.ts";

const points = ["file.written", "file.placed", "file.settled", "file.removed"];

const DRAFT = /\/\.reprise-[0-9a-f]{12}$/;

test("[REC-37] killed at any crash point, every file in an agent's home is whole or not there, and the next start completes it", async (t) => {
  const reference = stage(t);
  await placeAll(reference);
  const whole = filesIn(reference);
  assert.equal(whole.size, 5, [...whole.keys()].join(" "));

  let kills = 0;
  for (const point of points)
    for (let passage = 1; ; passage++) {
      const root = stage(t);
      const { signal, status } = run(root, `${point}:${passage}`);
      if (signal === null) {
        assert.equal(status, 0);
        break;
      }
      assert.equal(signal, "SIGKILL");
      kills += 1;
      for (const [name, content] of filesIn(root))
        assert.equal(
          content,
          whole.get(name),
          `${name} at ${point}:${passage}`,
        );
      await placeAll(root);
      assert.deepEqual(filesIn(root), whole, `after ${point}:${passage}`);
    }
  // Each of the five is placed and settled; four of them had a draft, which was written and removed.
  assert.equal(kills, 5 + 5 + 4 + 4);
});

/** A person with settings and a login, and a session that was saved. */
const stage = (t: TestContext): string => {
  const root = scratch(t);
  const theirs = join(root, "person", ".gemini");
  mkdirSync(theirs, { recursive: true });
  writeFileSync(join(theirs, "settings.json"), "{}");
  writeFileSync(join(theirs, "GEMINI.md"), "be brief");
  writeFileSync(join(theirs, "oauth_creds.json"), "secret");
  const line = JSON.stringify({ sessionId: "aaaaaaaa-1" });
  writeFileSync(join(root, "saved.jsonl"), `${line}\n{"text":"hello"}\n`);
  return root;
};

const run = (root: string, crashAt: string) =>
  spawnSync(
    process.execPath,
    [join(import.meta.dirname, "fixtures/place-all.ts"), root],
    {
      env: {
        PATH: process.env["PATH"],
        ...COMPILED,
        REPRISE_CRASH_AT: crashAt,
      },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );

/** What was made, besides drafts: where each file is, and what it holds or leads to. */
const filesIn = (root: string): Map<string, string> => {
  const made = new Map<string, string>();
  const visit = (directory: string): void => {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      const found = lstatSync(path);
      if (found.isDirectory()) visit(path);
      else if (!DRAFT.test(path))
        made.set(
          relative(root, path),
          // Both lead out of the home, to a place that differs from run to run.
          (found.isSymbolicLink()
            ? readlinkSync(path)
            : readFileSync(path, "utf8")
          ).replaceAll(root, "ROOT"),
        );
    }
  };
  mkdirSync(join(root, "own"), { recursive: true });
  visit(join(root, "own"));
  return made;
};
