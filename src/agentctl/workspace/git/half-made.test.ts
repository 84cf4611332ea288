import assert from "node:assert/strict";
import { test } from "node:test";
import { GitFailed } from "./git.ts";
import { onceOthersAreMade } from "./half-made.ts";

const HALF_MADE =
  "fatal: failed to read .git/worktrees/other/commondir: Success";

/** Fails with these words, one after the other, then succeeds. */
const failing = (...words: string[]) => {
  const left = [...words];
  return async (): Promise<string> => {
    const next = left.shift();
    if (next === undefined) return "made";
    throw new GitFailed(next);
  };
};

const noPause = async (): Promise<void> => undefined;

test("[LNK-104] git is asked again while another worktree of the repository is half made", async () => {
  const ask = failing(HALF_MADE, HALF_MADE, HALF_MADE);
  assert.equal(await onceOthersAreMade(ask, noPause), "made");
});

test("[LNK-104] an entry that stays half made, and any other failure, is told", async () => {
  const stays = failing(...Array<string>(100).fill(HALF_MADE));
  await assert.rejects(onceOthersAreMade(stays, noPause), {
    message: HALF_MADE,
  });
  const other = failing("fatal: not a git repository");
  await assert.rejects(
    onceOthersAreMade(other, noPause),
    /not a git repository/,
  );
});
