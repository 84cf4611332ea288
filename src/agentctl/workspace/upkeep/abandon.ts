import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { LinkParams, LinkResult } from "../../../contract/link/link.ts";
import { removeEmpty } from "../../../kit/files/durable-file.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { GIT_LINK } from "../git/git-link.ts";
import { abandonWorktree } from "../git/worktree.ts";

/** Takes away what was made for a session that never came to be. Where anything was done in it, it stays. */
export const abandon = async (
  { home }: Pick<CheckpointStorage, "home">,
  { session_id }: LinkParams<"abandon">,
): Promise<LinkResult<"abandon">> => {
  const path = join(home, "workspaces", session_id);
  const [directory, link] = await Promise.all(
    [path, join(path, GIT_LINK)].map((each) => lstat(each).catch(() => null)),
  );
  if (directory?.isDirectory() !== true) return { removed: false };
  if (link?.isFile() === true) return { removed: await abandonWorktree(path) };
  return { removed: await removeEmpty(path) };
};
