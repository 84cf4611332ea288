/** Kills a real process at every crash point of the vault, and looks at what is left. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { usedInTurn } from "../kit/fixtures/in-turn.ts";
import { threadEnvironment } from "../kit/processes/thread-environment.ts";
import { Bench } from "./fixtures/bench.ts";
import { perform } from "./fixtures/deed.ts";
import { judge } from "./fixtures/judge.ts";
import { vaultKills, type Deed, type VaultKill } from "./fixtures/kills.ts";
import { fillMuch, fillWorkspace } from "./fixtures/workspace.ts";
import type { Hash } from "./format/hash.ts";

describe("[P3] [CHK-14] [CHK-20] every committed checkpoint outlives the process", () => {
  /** One vault lives through all kills during one deed. */
  const sharedBy: Record<Deed, ReturnType<typeof usedInTurn<Bench>>> = {
    save: usedInTurn(() => Bench.make()),
    restore: usedInTurn(() => Bench.make()),
    prune: usedInTurn(() => Bench.make()),
  };
  const alone = async (use: (bench: Bench) => Promise<void>): Promise<void> => {
    await using bench = await Bench.make();
    await use(bench);
  };

  for (const [round, kill] of vaultKills.entries()) {
    const { at, passage, deed, large = false } = kill;
    const withBench = large ? alone : sharedBy[deed];
    test(`killed at ${at}:${passage} while it is to ${deed}${large ? " much" : ""}`, () =>
      withBench((bench) => outlives(bench, round, kill)));
  }
});

const outlives = async (
  bench: Bench,
  round: number,
  { at, passage, deed, large = false }: VaultKill,
): Promise<void> => {
  const made = await checkpoints(bench, round, large && deed === "restore");
  await bench.vault.close();
  disturb(bench, round);
  if (large) disturbMuch(bench, deed);
  const needed = deed === "restore" ? made.slice(0, 1) : made;
  const trees = needed.map(({ tree }) => tree);
  killedAt(`${at}:${passage}`, bench, deed, trees);

  await bench.reopen();
  for (const { tree, was } of made) await bench.assertIs(tree, was);
  await perform(bench.vault, deed, bench.directory, trees);
  if (deed === "restore")
    assert.deepEqual(judge(bench.workspace), made[0]?.was);
  const { tree } = await bench.save();
  await bench.assertIs(tree, judge(bench.workspace));
  assert.deepEqual(leftovers(bench), []);
};

interface Made {
  tree: Hash;
  was: Map<string, string>;
}

/**
 * Two that are needed. Between them are two that are not: a prune removes one pack, and copies a little out of another.
 * What is in those is new to the vault in every round.
 */
const checkpoints = async (
  bench: Bench,
  round: number,
  large: boolean,
): Promise<Made[]> => {
  const at = (name: string): string => join(bench.workspace, name);
  const made: Made[] = [];
  const keep = async (): Promise<void> => {
    const { tree } = await bench.save();
    made.push({ tree, was: judge(bench.workspace) });
  };
  rmSync(bench.workspace, { recursive: true });
  mkdirSync(bench.workspace);
  fillWorkspace(bench.workspace);
  if (large) fillMuch(bench.workspace);
  await keep();
  writeFileSync(at("large"), Buffer.alloc(1e6, `largely ${round} `));
  writeFileSync(at("small"), `needed later ${round}`);
  await bench.save();
  rmSync(at("large"));
  writeFileSync(at("other"), Buffer.alloc(1e6, `other ${round} `));
  await bench.save();
  rmSync(at("other"));
  await keep();
  return made;
};

const disturb = ({ workspace }: Bench, round: number): void => {
  writeFileSync(join(workspace, "new"), Buffer.alloc(2e6, `news ${round} `));
  writeFileSync(join(workspace, "README.md"), `another one ${round}`);
  rmSync(join(workspace, "src"), { recursive: true });
};

/** Leaves much to save, or to restore. */
const disturbMuch = ({ workspace }: Bench, deed: Deed): void => {
  if (deed === "save") fillMuch(workspace);
  else rmSync(join(workspace, "much"), { recursive: true });
};

const killedAt = (
  point: string,
  bench: Bench,
  deed: Deed,
  trees: readonly Hash[],
): void => {
  const program = join(import.meta.dirname, "fixtures/doer.ts");
  const { signal } = spawnSync(
    process.execPath,
    [program, deed, bench.directory, ...trees],
    {
      env: { ...threadEnvironment(), REPRISE_CRASH_AT: point },
      stdio: "inherit",
    },
  );
  assert.equal(signal, "SIGKILL");
};

/** Drafts that nobody will ever finish. */
const leftovers = (bench: Bench): string[] =>
  [dirname(bench.packs), bench.workspace]
    .flatMap((directory) =>
      readdirSync(directory, { recursive: true, encoding: "utf8" }),
    )
    .filter((name) => /draft|reprise-restore|\.[0-9a-f]{12}$/.test(name))
    .concat(readdirSync(bench.site.restores));
