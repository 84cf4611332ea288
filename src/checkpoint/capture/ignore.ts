import { isWithin, type ByteString } from "../format/byte-string.ts";

/** What `.repriseignore` in the root of a workspace says. docs/spec/checkpoint-format.md, "What is left out". */
export const IGNORE_FILE = ".repriseignore";

export interface IgnoreRule {
  /** The pattern, part by part; `**` stands for any number of directories. */
  parts: readonly string[];
  /** `!`: takes back what an earlier line said. */
  negated: boolean;
  directoriesOnly: boolean;
}

/** The text as bytes, like every name here. */
export const parseIgnore = (text: ByteString): IgnoreRule[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.trimEnd();
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    const negated = trimmed.startsWith("!");
    const body = negated ? trimmed.slice(1) : trimmed;
    const directoriesOnly = body.endsWith("/");
    const path = directoriesOnly ? body.slice(0, -1) : body;
    if (path === "" || path === "/") return [];
    return [{ parts: partsOf(path), negated, directoriesOnly }];
  });

/** The last rule that fits decides. A directory that is ignored is not looked into. */
export const isIgnored = (
  rules: readonly IgnoreRule[],
  path: ByteString,
  isDirectory: boolean,
): boolean => {
  let ignored = false;
  const names = path.split("/");
  for (const { parts, negated, directoriesOnly } of rules)
    if ((isDirectory || !directoriesOnly) && isPathLike(parts, names))
      ignored = !negated;
  return ignored;
};

/** A line without a slash fits at any depth; one with a slash is a path from the root. */
const partsOf = (line: string): string[] => {
  const isAnchored = line.includes("/");
  const parts = (line.startsWith("/") ? line.slice(1) : line).split("/");
  // At the end, something must be beneath.
  if (parts.at(-1) === "**") parts.push("*");
  return isAnchored ? parts : ["**", ...parts];
};

const isPathLike = (
  parts: readonly string[],
  names: readonly ByteString[],
): boolean =>
  isLike(parts, names, "**", (part, name) =>
    isLike(part, name, "*", (one, other) => one === "?" || one === other),
  );

/**
 * Whether a pattern fits, in which `any` stands for any number of things. A pattern is whatever somebody wrote, so there
 * is only ever one way back, to the last `any`: no pattern can take long.
 */
const isLike = (
  pattern: string | readonly string[],
  things: string | readonly string[],
  any: string,
  fits: (wanted: string, thing: string) => boolean,
): boolean => {
  let at = 0;
  let back: { at: number; from: number } | null = null;
  for (let from = 0; from < things.length;) {
    const wanted = pattern[at];
    if (wanted === any) back = { at: ++at, from };
    else if (wanted !== undefined && fits(wanted, things[from] ?? "")) {
      at += 1;
      from += 1;
    } else if (back === null) return false;
    else {
      back.from += 1;
      ({ at, from } = back);
    }
  }
  while (pattern[at] === any) at += 1;
  return at === pattern.length;
};

/** The given paths that lie in this directory, as names in their directories. */
export const insideOf = (
  root: ByteString,
  paths: readonly ByteString[],
): Map<ByteString, Set<ByteString>> => {
  const inside = new Map<ByteString, Set<ByteString>>();
  for (const path of paths) {
    if (path === root || !isWithin(path, root)) continue;
    const relative = path.slice(root === "/" ? 1 : root.length + 1);
    const slash = relative.lastIndexOf("/");
    const directory = relative.slice(0, Math.max(0, slash));
    const names = inside.get(directory) ?? new Set();
    inside.set(directory, names.add(relative.slice(slash + 1)));
  }
  return inside;
};
