import type {
  Change,
  Diff,
  Unknown,
} from "../../../contract/session/checkpoint.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { oneLine, sanitize } from "../../terminal/sanitize.ts";
import { count } from "../../terminal/age.ts";
import type { Palette } from "../../terminal/palette.ts";

/** One line per file; what changed within git's own directory takes one line together. */
export const changeList = (
  changes: readonly Change[],
  truncated: boolean,
  palette: Palette,
): string =>
  [
    ...gathered(changes).map((each) => `  ${lineOf(each, palette)}\n`),
    ...(truncated ? ["  … and more\n"] : []),
  ].join("");

/** A change, or how many there are within a directory of git's. */
type Listed = Change | { directory: string; paths: number };

const gathered = (changes: readonly Change[]): Listed[] => {
  const gits = new Map<string, { directory: string; paths: number }>();
  return changes.flatMap((change): Listed[] => {
    const directory = /^(.*\/)?\.git(?=\/)/.exec(change.path)?.[0];
    if (directory === undefined) return [change];
    const known = gits.get(directory);
    if (known !== undefined) {
      known.paths += 1;
      return [];
    }
    const first = { directory, paths: 1 };
    gits.set(directory, first);
    return [first];
  });
};

const lineOf = (each: Listed, palette: Palette): string =>
  "path" in each
    ? line(each, palette)
    : `~ ${oneLine(each.directory)} (${count(each.paths, "path")} of git's own)`;

const line = ({ kind, path }: Change, palette: Palette): string => {
  const name = oneLine(path);
  switch (kind) {
    case "added":
      return palette.green(`+ ${name}`);
    case "removed":
      return palette.red(`- ${name}`);
    case "modified":
      return `~ ${name}`;
    case "mode":
      return `~ ${name} (its mode)`;
    case "type":
      return `~ ${name} (its type)`;
    default:
      return unreachable(kind);
  }
};

export const changeCount = (
  changes: readonly unknown[],
  truncated: boolean,
): string => `${truncated ? "more than " : ""}${count(changes.length, "path")}`;

/** Unified text as it came, in colours; what is not in it is listed. */
export const diffText = (diff: Diff, palette: Palette): string => {
  const ends = `${diff.from ?? "nothing"} → ${diff.to ?? "nothing"}`;
  const unread =
    unreadText(diff.not_read ?? []) +
    unknownList(diff.not_captured ?? [], "not captured");
  if (diff.changes.length === 0)
    return unread === ""
      ? `Nothing changed (${ends}).`
      : `Nothing else changed (${ends}).\n${unread}`;
  const list = changeList(diff.changes, diff.truncated, palette);
  const heading = `${changeCount(diff.changes, diff.truncated)} changed (${ends}):\n${list}${unread}`;
  return diff.text === null || diff.text === ""
    ? heading
    : `${heading}\n${coloured(diff.text, palette)}`;
};

/** One line for each: it may be what somebody looks for. */
const unreadText = (paths: readonly string[]): string =>
  paths
    .map((path) => `  ? ${oneLine(path)} (keeps changing, or cannot be read)\n`)
    .join("");

/** What nothing is known of, what follows from that, and why. */
export const unknownList = (
  paths: readonly Unknown[],
  consequence: string,
): string =>
  paths
    .map(({ path, reason }) => {
      const why = REASONS[reason];
      return `  ? ${oneLine(path)} (${consequence}: ${why})\n`;
    })
    .join("");

const REASONS: Readonly<Record<Unknown["reason"], string>> = {
  mounted: "something is mounted there",
  other_worktrees: "other worktrees belong to this repository",
};

const coloured = (text: string, palette: Palette): string =>
  sanitize(text)
    .split("\n")
    .map((each) => colourOf(each, palette)(each))
    .join("\n");

const colourOf = (
  text: string,
  palette: Palette,
): ((text: string) => string) => {
  if (/^(diff |--- |\+\+\+ )/.test(text)) return palette.bold;
  if (text.startsWith("@@")) return palette.cyan;
  if (text.startsWith("+")) return palette.green;
  return text.startsWith("-") ? palette.red : same;
};

const same = (text: string): string => text;
