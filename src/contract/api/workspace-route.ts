/** The routes about the workspace of a session: its files, searching them, and what git says of it. */
import * as z from "zod";
import { endpoint } from "./route-table.ts";
import {
  GitBranches,
  GitDiff,
  GitLog,
  GitStatus,
  MAX_COMMITS,
} from "../session/git-look.ts";
import { MAX_MATCHES, searchFields, SearchResult } from "../session/search.ts";
import { MAX_ENTRIES } from "../base/file-limits.ts";
import { DirectoryPage, WrittenFile } from "../session/workspace-file.ts";

/** For a directory: a page of it. */
export const FilesQuery = z.strictObject({
  /** The `next` of the page before. */
  after: z.string().min(1).max(2000).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_ENTRIES).default(MAX_ENTRIES),
});
export type FilesQuery = z.infer<typeof FilesQuery>;

/** A switch in a query: `true` or `false`. */
const Switch = z
  .enum(["true", "false"])
  .default("false")
  .transform((value) => value === "true");

export const SearchQuery = z.strictObject({
  q: searchFields.pattern,
  /** A directory; the whole workspace where it is not said. */
  path: z.string().default(""),
  /** Files whose paths fit, instead of lines. */
  names: Switch,
  regex: Switch,
  case: searchFields.case.default("smart"),
  /** Globs, divided by commas; `!` before one leaves out what fits it. */
  glob: z.string().max(2000).default(""),
  hidden: Switch,
  ignored: Switch,
  limit: z.coerce.number().int().min(1).max(MAX_MATCHES).default(200),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const GitDiffQuery = z.strictObject({
  path: z.string().optional(),
  /** What is staged, instead of what is not. */
  staged: Switch,
  /** A revision: what came since, staged or not. */
  since: z.string().min(1).max(1000).optional(),
});
export type GitDiffQuery = z.infer<typeof GitDiffQuery>;

export const GitLogQuery = z.strictObject({
  path: z.string().optional(),
  /** HEAD where it is not said. */
  revision: z.string().min(1).max(1000).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_COMMITS).default(50),
  /** The `next` of the page before. */
  skip: z.coerce.number().int().min(0).max(10_000_000).default(0),
});
export type GitLogQuery = z.infer<typeof GitLogQuery>;

/** `:path` is the rest of the address, slashes included, its bytes percent-encoded. */
export const workspaceRoutes = {
  showFile: {
    ...endpoint("showFile"),
    summary:
      "A file of the workspace, or a page of a directory; Range, If-Match and If-None-Match hold",
    query: FilesQuery,
    answer: DirectoryPage,
    traits: ["download", "document"],
  },
  putFile: {
    ...endpoint("putFile"),
    summary:
      "Write a file of the workspace, whole or not at all; If-Match and If-None-Match hold",
    answer: WrittenFile,
    traits: ["upload"],
  },
  searchFiles: {
    ...endpoint("searchFiles"),
    summary:
      "Lines of the workspace that fit a pattern, or files by their names",
    query: SearchQuery,
    answer: SearchResult,
  },
  showGitStatus: {
    ...endpoint("showGitStatus"),
    summary: "The branch of the workspace, and what is not committed",
    answer: GitStatus,
  },
  showGitDiff: {
    ...endpoint("showGitDiff"),
    summary: "What is not staged, what is staged, or what came since a commit",
    query: GitDiffQuery,
    answer: GitDiff,
  },
  showGitLog: {
    ...endpoint("showGitLog"),
    summary: "Commits, newest first",
    query: GitLogQuery,
    answer: GitLog,
  },
  showGitBranches: {
    ...endpoint("showGitBranches"),
    summary: "Branches, the one with the newest commit first",
    answer: GitBranches,
  },
} as const;
