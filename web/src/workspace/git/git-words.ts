/** What git says of a workspace, in words and groups. */
import type { GitStatus } from "../../../../src/contract/session/git-look.ts";
import { counted } from "../../words/counts.ts";

type Entry = GitStatus["entries"][number];

export interface GitGroup {
  name: string;
  entries: readonly GitLine[];
}

export interface GitLine {
  path: string;
  /** What it was called before, where it was renamed. */
  from: string | null;
  sign: string;
  /** What the sign means. */
  word: string;
  /** What the line opens: untracked files have no diff. */
  shows: "file" | "git";
}

/** `main`, or where HEAD is without a branch. */
export const headWords = ({ branch, commit }: GitStatus): string =>
  branch ??
  (commit === null ? "no branch" : `detached at ${commit.slice(0, 9)}`);

/** Null without an upstream. */
export const upstreamWords = ({
  upstream,
  ahead,
  behind,
}: GitStatus): string | null => {
  if (upstream === null) return null;
  const parts = [
    ...(ahead === null || ahead === 0
      ? []
      : [`${counted(ahead, "commit")} ahead`]),
    ...(behind === null || behind === 0
      ? []
      : [`${counted(behind, "commit")} behind`]),
  ];
  return parts.length === 0
    ? `as ${upstream}`
    : `${parts.join(", ")} of ${upstream}`;
};

/** A file that is staged and was changed again stands in both groups. */
export const gitGroups = ({ entries }: GitStatus): GitGroup[] => {
  const of = (kind: Entry["kind"][], has: (entry: Entry) => boolean) =>
    entries.filter((entry) => kind.includes(entry.kind) && has(entry));
  const always = (): boolean => true;
  return [
    {
      name: "In conflict",
      entries: of(["unmerged"], always).map((entry) => lineOf(entry, "U")),
    },
    {
      name: "Staged",
      entries: of(["changed", "renamed"], ({ index }) => index !== ".").map(
        (entry) => lineOf(entry, entry.index),
      ),
    },
    {
      name: "Changed",
      entries: of(
        ["changed", "renamed"],
        ({ worktree }) => worktree !== ".",
      ).map((entry) => lineOf(entry, entry.worktree)),
    },
    {
      name: "Untracked",
      entries: of(["untracked"], always).map((entry) => lineOf(entry, "?")),
    },
  ].filter((group) => group.entries.length > 0);
};

const lineOf = ({ path, from }: Entry, letter: string): GitLine => ({
  path,
  from: from ?? null,
  ...(letters[letter] ?? { sign: "~", word: "changed" }),
  shows: letter === "?" ? "file" : "git",
});

const letters: Readonly<Record<string, { sign: string; word: string }>> = {
  A: { sign: "+", word: "added" },
  "?": { sign: "+", word: "untracked" },
  D: { sign: "−", word: "deleted" },
  R: { sign: "→", word: "renamed" },
  C: { sign: "+", word: "copied" },
  U: { sign: "!", word: "in conflict" },
};
