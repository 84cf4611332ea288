import * as z from "zod";
import { GitState, Memory, TreeHash } from "./checkpoint.ts";

/** What must be there before an agent starts: put there when it is missing, looked at when it is not. */
export const Rebuild = z.object({
  /** The newest checkpoint of the workspace; null when there is none to hold it against. */
  tree: TreeHash.nullable(),
  /** The workspace is missing: make it from the tree. */
  restore: z.boolean(),
  /** The tree was captured in another directory: its link to a repository, if it has one, is not that of this one. */
  moved: z.boolean().optional(),
  /** What git had checked out then, where the session has a worktree. */
  git: GitState.optional(),
  /** The agent's own session is missing, or is to be another than it was. */
  memory: Memory.nullable(),
});
export type Rebuild = z.infer<typeof Rebuild>;
