/** Kills a real process at every crash point of the vault, and looks at what is left. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { threadEnvironment } from "../kit/thread-environment.ts";
import { Bench } from "./fixtures/bench.ts";
import { judge } from "./fixtures/judge.ts";
import { vaultKills, type Deed } from "./fixtures/kills.ts";
import { fillLargeWorkspace, fillWorkspace } from "./fixtures/workspace.ts";
import type { Hash } from "./hash.ts";

describe(
  "[P3] [CHK-14] [CHK-20] every committed checkpoint outlives the process",
  { concurrency: 2 },
  () => {
    for (const { at, passage, deed, large = false } of vaultKills)
      test(`killed at ${at}:${passage} while it is to ${deed}${large ? " much" : ""}`, async () => {
        await using bench = await Bench.make();
        const made = await checkpoints(bench, large && deed === "restore");
        await bench.vault.close();
        disturb(bench);
        if (large) disturbMuch(bench, deed);
        const trees = deed === "restore" ? made.slice(0, 1) : made;
        const { signal } = run(bench, deed, trees, `${at}:${passage}`);
        assert.equal(signal, "SIGKILL");

        await bench.reopen();
        for (const { tree, was } of made) await bench.assertIs(tree, was);
        await bench.vault.close();
        assert.equal(run(bench, deed, trees, null).status, 0);
        await bench.reopen();
        if (deed === "restore")
          assert.deepEqual(judge(bench.workspace), made[0]?.was);
        const { tree } = await bench.save();
        await bench.assertIs(tree, judge(bench.workspace));
        assert.deepEqual(leftovers(bench), []);
      });
  },
);

interface Made {
  tree: Hash;
  was: Map<string, string>;
}

/** Two that are needed. Between them are two that are not: a prune removes one pack, and copies a little out of another. */
const checkpoints = async (bench: Bench, large: boolean): Promise<Made[]> => {
  const at = (name: string): string => join(bench.workspace, name);
  const made: Made[] = [];
  const keep = async (): Promise<void> => {
    const { tree } = await bench.save();
    made.push({ tree, was: judge(bench.workspace) });
  };
  if (large) fillLargeWorkspace(bench.workspace);
  else fillWorkspace(bench.workspace);
  await keep();
  writeFileSync(at("large"), Buffer.alloc(1e6, "largely "));
  writeFileSync(at("small"), "needed later");
  await bench.save();
  rmSync(at("large"));
  writeFileSync(at("other"), Buffer.alloc(1e6, "other "));
  await bench.save();
  rmSync(at("other"));
  await keep();
  return made;
};

const disturb = ({ workspace }: Bench): void => {
  writeFileSync(join(workspace, "new"), Buffer.alloc(2e6, "news "));
  writeFileSync(join(workspace, "README.md"), "another one");
  rmSync(join(workspace, "src"), { recursive: true });
};

/** Leaves much to save, or to restore. */
const disturbMuch = ({ workspace }: Bench, deed: Deed): void => {
  if (deed === "save") fillLargeWorkspace(join(workspace, "much"));
  else
    for (const half of ["a", "b"])
      rmSync(join(workspace, half), { recursive: true });
};

const run = (
  bench: Bench,
  deed: Deed,
  made: readonly Made[],
  crashAt: string | null,
): { signal: string | null; status: number | null } => {
  const program = join(import.meta.dirname, "fixtures/doer.ts");
  const args = [program, deed, bench.directory, ...made.map((it) => it.tree)];
  const env = { ...threadEnvironment() };
  if (crashAt !== null) env["REPRISE_CRASH_AT"] = crashAt;
  return spawnSync(process.execPath, args, { env, stdio: "inherit" });
};

/** Drafts that nobody will ever finish. */
const leftovers = (bench: Bench): string[] =>
  [dirname(bench.packs), bench.workspace]
    .flatMap((directory) =>
      readdirSync(directory, { recursive: true, encoding: "utf8" }),
    )
    .filter((name) => /draft|reprise-restore|\.[0-9a-f]{12}$/.test(name))
    .concat(readdirSync(bench.site.restores));
