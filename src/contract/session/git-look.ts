/** What git says of a workspace, as every door shows it. Paths are relative to the workspace. */
import * as z from "zod";

/** Of a diff's text. */
export const MAX_DIFF_BYTES = 1024 * 1024;
/** Changed paths that are told. */
export const MAX_CHANGED = 5000;
export const MAX_COMMITS = 200;
export const MAX_BRANCHES = 1000;

const named = {
  path: z.string(),
  /** In Base64, where the bytes of the path are not UTF-8. */
  path_bytes: z.base64().exactOptional(),
};

export const GitStatus = z.object({
  /** Null where HEAD is on no branch. */
  branch: z.string().nullable(),
  /** Null where nothing was committed yet. */
  commit: z.string().nullable(),
  upstream: z.string().nullable(),
  /** Commits that only this side, or only the other one, has; null without an upstream. */
  ahead: z.number().int().nullable(),
  behind: z.number().int().nullable(),
  entries: z.array(
    z.object({
      ...named,
      kind: z.enum(["changed", "renamed", "unmerged", "untracked"]),
      /** git's letters for the index and for the working tree: `M`, `A`, `D`, `T`, `R`, `C`, `U`, or `.` for unchanged. */
      index: z.string(),
      worktree: z.string(),
      /** What a renamed file was called before. */
      from: z.string().exactOptional(),
    }),
  ),
  /** There are more entries. */
  truncated: z.boolean(),
});
export type GitStatus = z.infer<typeof GitStatus>;

export const GitDiff = z.object({
  files: z.array(
    z.object({
      ...named,
      from: z.string().exactOptional(),
      /** Lines; null of what is no text. */
      added: z.number().int().nullable(),
      removed: z.number().int().nullable(),
    }),
  ),
  /** A unified diff. */
  text: z.string(),
  /** There is more of one of them. */
  truncated: z.boolean(),
});
export type GitDiff = z.infer<typeof GitDiff>;

export const GitLog = z.object({
  /** Newest first. */
  commits: z.array(
    z.object({
      id: z.string(),
      parents: z.array(z.string()),
      author: z.object({ name: z.string(), email: z.string() }),
      authored_at: z.string(),
      committed_at: z.string(),
      subject: z.string(),
      body: z.string(),
    }),
  ),
  /** How many to skip for the next page; null at the end. */
  next: z.number().int().nullable(),
});
export type GitLog = z.infer<typeof GitLog>;

export const GitBranches = z.object({
  /** The one with the newest commit first. */
  branches: z.array(
    z.object({
      name: z.string(),
      /** `remote`: as it was when it was last fetched. */
      kind: z.enum(["local", "remote"]),
      commit: z.string(),
      upstream: z.string().nullable(),
      current: z.boolean(),
      committed_at: z.string(),
      subject: z.string(),
    }),
  ),
  truncated: z.boolean(),
});
export type GitBranches = z.infer<typeof GitBranches>;
