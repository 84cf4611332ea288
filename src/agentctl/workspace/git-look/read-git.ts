/** What git prints for programs, as the contract has it. Pure; bytes are one character each until they are named. */
import type { ByteString } from "../../../checkpoint/format/byte-string.ts";
import type {
  GitBranches,
  GitDiff,
  GitLog,
  GitStatus,
} from "../../../contract/session/git-look.ts";
import { named } from "../files/named.ts";

/** `git status --porcelain=v2 -z --branch`; paths are of the repository, and lose the prefix of the workspace. */
export const readStatus = (
  output: ByteString,
  prefix: ByteString,
): Omit<GitStatus, "truncated"> => {
  const status: Omit<GitStatus, "truncated"> = {
    branch: null,
    commit: null,
    upstream: null,
    ahead: null,
    behind: null,
    entries: [],
  };
  const records = output.split("\0");
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? "";
    if (record.startsWith("# ")) readHeader(status, record);
    else {
      const isRename = record.startsWith("2 ");
      const from = isRename ? records[++at] : undefined;
      const entry = entryIn(record, from, prefix);
      if (entry !== null) status.entries.push(entry);
    }
  }
  return status;
};

const readHeader = (
  status: Omit<GitStatus, "truncated">,
  record: string,
): void => {
  const [, name, ...rest] = record.split(" ");
  const value = textOf(rest.join(" "));
  if (name === "branch.oid")
    status.commit = value === "(initial)" ? null : value;
  if (name === "branch.head")
    status.branch = value === "(detached)" ? null : value;
  if (name === "branch.upstream") status.upstream = value;
  const counts = /^\+(\d+) -(\d+)$/.exec(value);
  if (name !== "branch.ab" || counts === null) return;
  status.ahead = Number(counts[1]);
  status.behind = Number(counts[2]);
};

/** How many fields stand before the path, by the kind of a record. */
const FIELDS: Readonly<Record<string, number>> = { "1": 8, "2": 9, u: 10 };

const entryIn = (
  record: ByteString,
  from: ByteString | undefined,
  prefix: ByteString,
): GitStatus["entries"][number] | null => {
  if (record.startsWith("? "))
    return {
      ...named("path", below(record.slice(2), prefix)),
      kind: "untracked",
      index: ".",
      worktree: ".",
    };
  const count = FIELDS[record[0] ?? ""];
  if (count === undefined) return null;
  const fields = record.split(" ");
  const [kind, letters = ".."] = fields;
  return {
    ...named("path", below(fields.slice(count).join(" "), prefix)),
    kind: kind === "2" ? "renamed" : kind === "u" ? "unmerged" : "changed",
    index: letters[0] ?? ".",
    worktree: letters[1] ?? ".",
    ...(from !== undefined && {
      from: named("path", below(from, prefix)).path,
    }),
  };
};

const below = (path: ByteString, prefix: ByteString): ByteString =>
  path.startsWith(prefix) ? path.slice(prefix.length) : path;

/** `git diff --numstat -z --relative`. */
export const readNumbers = (output: ByteString): GitDiff["files"] => {
  const files: GitDiff["files"] = [];
  const records = output.split("\0");
  for (let at = 0; at < records.length; at++) {
    const match = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(records[at] ?? "");
    if (match === null) continue;
    const [, added, removed, path = ""] = match;
    const counts = { added: countOf(added), removed: countOf(removed) };
    // A renamed file has its two names in the records behind.
    if (path !== "") files.push({ ...named("path", path), ...counts });
    else {
      const from = records[++at] ?? "";
      files.push({
        ...named("path", records[++at] ?? ""),
        from: named("path", from).path,
        ...counts,
      });
    }
  }
  return files;
};

const countOf = (told: string | undefined): number | null =>
  told === undefined || told === "-" ? null : Number(told);

export const LOG_FORMAT = "%H%x00%P%x00%an%x00%ae%x00%aI%x00%cI%x00%s%x00%b";
const LOG_FIELDS = 8;

/** `git log -z` in that format. */
export const readLog = (output: ByteString): GitLog["commits"] =>
  recordsIn(output, LOG_FIELDS).map(
    ([id = "", parents = "", name = "", email = "", ...rest]) => {
      const [authored_at = "", committed_at = "", subject = "", body = ""] =
        rest;
      return {
        id,
        parents: parents.split(" ").filter((each) => each !== ""),
        author: { name: textOf(name), email: textOf(email) },
        authored_at,
        committed_at,
        subject: textOf(subject),
        body: textOf(body).trim(),
      };
    },
  );

export const BRANCH_FORMAT =
  "%(refname)%00%(objectname)%00%(upstream:short)%00%(HEAD)%00%(committerdate:iso-strict)%00%(subject)%00%(symref)%00";
const BRANCH_FIELDS = 7;

/** `git for-each-ref` in that format: a newline ends each. */
export const readBranches = (output: ByteString): GitBranches["branches"] =>
  recordsIn(output, BRANCH_FIELDS).flatMap(
    ([ref = "", commit = "", upstream = "", head = "", ...rest]) => {
      const [committed_at = "", subject = "", symref = ""] = rest;
      const match = /^refs\/(heads|remotes)\/(.*)$/s.exec(ref.trimStart());
      // `origin/HEAD` is no branch but leads to one.
      if (match === null || symref !== "") return [];
      return [
        {
          name: textOf(match[2] ?? ""),
          kind: match[1] === "heads" ? ("local" as const) : ("remote" as const),
          commit,
          upstream: upstream === "" ? null : textOf(upstream),
          current: head === "*",
          committed_at,
          subject: textOf(subject),
        },
      ];
    },
  );

/** The last one may be cut: then it is none. */
const recordsIn = (output: ByteString, fields: number): string[][] => {
  const all = output.split("\0");
  const records: string[][] = [];
  for (let at = 0; at + fields < all.length; at += fields)
    records.push(all.slice(at, at + fields));
  return records;
};

const textOf = (bytes: ByteString): string =>
  Buffer.from(bytes, "latin1").toString("utf8");
