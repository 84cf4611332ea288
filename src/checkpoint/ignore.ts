import { isWithin, type ByteString } from "./byte-string.ts";

/** What `.repriseignore` in the root of a workspace says. docs/spec/checkpoint-format.md, "What is left out". */
export const IGNORE_FILE = ".repriseignore";

export interface IgnoreRule {
  pattern: RegExp;
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
    return [{ pattern: compile(path), negated, directoriesOnly }];
  });

/** The last rule that fits decides. A directory that is ignored is not looked into. */
export const isIgnored = (
  rules: readonly IgnoreRule[],
  path: ByteString,
  isDirectory: boolean,
): boolean => {
  let ignored = false;
  for (const { pattern, negated, directoriesOnly } of rules)
    if ((isDirectory || !directoriesOnly) && pattern.test(path))
      ignored = !negated;
  return ignored;
};

/** A line without a slash fits at any depth; one with a slash is a path from the root. */
const compile = (line: string): RegExp => {
  const anchored = line.includes("/");
  const path = line.startsWith("/") ? line.slice(1) : line;
  const source = path
    .split("/")
    .map((part) => (part === "**" ? "**" : partSource(part)))
    .join("/")
    .replaceAll(/(^|\/)\*\*\//g, "$1(?:.*/)?")
    .replaceAll(/\/\*\*$/g, "/.+");
  return new RegExp(`^${anchored ? "" : "(?:.*/)?"}${source}$`, "s");
};

const partSource = (part: string): string =>
  part
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, "[^/]*")
    .replaceAll("?", "[^/]");

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
