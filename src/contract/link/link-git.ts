/** What git says of a workspace, over the link. None of the repository's programs is run for it. */
import * as z from "zod";
import {
  GitBranches,
  GitDiff,
  GitLog,
  GitStatus,
  MAX_COMMITS,
} from "../session/git-look.ts";

const cwd = z.string();
/** Of a path in the workspace; all of it where it is not said. */
const path = z.string().exactOptional();

export const gitMethods = {
  git_status: { params: z.object({ cwd }), result: GitStatus },
  git_diff: {
    params: z.object({
      cwd,
      path,
      /** `worktree`: what is not staged. `index`: what is staged. A revision: from there to the working tree. */
      of: z.union([
        z.enum(["worktree", "index"]),
        z.object({ since: z.string() }),
      ]),
    }),
    result: GitDiff,
  },
  git_log: {
    params: z.object({
      cwd,
      path,
      /** HEAD where it is not said. */
      revision: z.string().exactOptional(),
      limit: z.number().int().min(1).max(MAX_COMMITS),
      skip: z.number().int().nonnegative(),
    }),
    result: GitLog,
  },
  git_branches: { params: z.object({ cwd }), result: GitBranches },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;
