/** What git says of a workspace. */
import { fromText, toText } from "../../../checkpoint/format/byte-string.ts";
import type { LinkParams, LinkResult } from "../../../contract/link/link.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import {
  MAX_BRANCHES,
  MAX_CHANGED,
  MAX_DIFF_BYTES,
} from "../../../contract/session/git-look.ts";
import { partsOf } from "../files/path-parts.ts";
import {
  BRANCH_FORMAT,
  LOG_FORMAT,
  readBranches,
  readLog,
  readNumbers,
  readStatus,
} from "./read-git.ts";
import { commitOf, git, openRepository, type Repository } from "./run-git.ts";

const MAX_LIST_BYTES = 4 * 1024 * 1024;

export const gitStatus = async ({
  cwd,
}: LinkParams<"git_status">): Promise<LinkResult<"git_status">> => {
  const repository = await openRepository(cwd);
  const { bytes, truncated } = await git(
    repository,
    [
      "status",
      "--porcelain=v2",
      "-z",
      "--branch",
      "--untracked-files=all",
      // What is in a submodule only its own git can tell, by its own settings.
      "--ignore-submodules=dirty",
      "--",
      ".",
    ],
    MAX_LIST_BYTES,
  );
  const prefix = fromText(repository.prefix);
  const { entries, ...head } = readStatus(wholeRecords(bytes), prefix);
  return {
    ...head,
    entries: entries.slice(0, MAX_CHANGED),
    truncated: truncated || entries.length > MAX_CHANGED,
  };
};

export const gitDiff = async ({
  cwd,
  path,
  of,
}: LinkParams<"git_diff">): Promise<LinkResult<"git_diff">> => {
  const repository = await openRepository(cwd);
  const args = [
    ...DIFF,
    ...(of === "index" ? ["--cached"] : []),
    ...(typeof of === "object" ? [await known(repository, of.since)] : []),
    "--",
    pathspec(path),
  ];
  const [numbers, text] = await Promise.all([
    git(repository, ["diff", "--numstat", "-z", ...args], MAX_LIST_BYTES),
    git(repository, ["diff", "--patch", ...args], MAX_DIFF_BYTES),
  ]);
  const files = readNumbers(wholeRecords(numbers.bytes));
  return {
    files: files.slice(0, MAX_CHANGED),
    text: text.bytes.toString("utf8"),
    truncated:
      numbers.truncated || text.truncated || files.length > MAX_CHANGED,
  };
};

const DIFF = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--ignore-submodules=dirty",
  "--submodule=short",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--find-renames",
  "--relative",
];

export const gitLog = async ({
  cwd,
  path,
  revision,
  limit,
  skip,
}: LinkParams<"git_log">): Promise<LinkResult<"git_log">> => {
  const repository = await openRepository(cwd);
  const from =
    revision === undefined
      ? await commitOf(repository, "HEAD")
      : await known(repository, revision);
  // Nothing was committed yet.
  if (from === null) return { commits: [], next: null };
  const { bytes } = await git(
    repository,
    [
      "log",
      "-z",
      `--format=tformat:${LOG_FORMAT}`,
      "--no-show-signature",
      "--no-color",
      "--encoding=UTF-8",
      `--max-count=${limit + 1}`,
      `--skip=${skip}`,
      from,
      "--",
      ...(path === undefined ? [] : [pathspec(path)]),
    ],
    MAX_LIST_BYTES,
  );
  const commits = readLog(bytes.toString("latin1"));
  const isMore = commits.length > limit;
  return {
    commits: commits.slice(0, limit),
    next: isMore ? skip + limit : null,
  };
};

export const gitBranches = async ({
  cwd,
}: LinkParams<"git_branches">): Promise<LinkResult<"git_branches">> => {
  const repository = await openRepository(cwd);
  const { bytes, truncated } = await git(
    repository,
    [
      "for-each-ref",
      "--sort=-committerdate",
      `--count=${MAX_BRANCHES + 1}`,
      `--format=${BRANCH_FORMAT}`,
      "refs/heads",
      "refs/remotes",
    ],
    MAX_LIST_BYTES,
  );
  const branches = readBranches(bytes.toString("latin1"));
  return {
    branches: branches.slice(0, MAX_BRANCHES),
    truncated: truncated || branches.length > MAX_BRANCHES,
  };
};

const known = async (
  repository: Repository,
  revision: string,
): Promise<string> => {
  const commit = await commitOf(repository, revision);
  if (commit !== null) return commit;
  throw new LinkError(
    "unknown_revision",
    `The repository has no commit ${JSON.stringify(revision.slice(0, 200))}.`,
  );
};

/** A path of the workspace, literally: names are bytes, and git takes text where they are UTF-8. */
const pathspec = (path: string | undefined): string => {
  if (path === undefined || partsOf(path).length === 0) return ".";
  return `./${toText(partsOf(path).join("/"))}`;
};

/** Up to the last NUL: what follows was cut. */
const wholeRecords = (bytes: Buffer): string =>
  bytes.subarray(0, bytes.lastIndexOf(0) + 1).toString("latin1");
