/** `@` and a name in a prompt: a file of the workspace that is offered, taken, and sent as a link. Pure. */
import type { ContentBlock } from "../../../src/contract/base/content.ts";

/** What stands between `@` and the cursor. */
export interface Mention {
  /** Where `@` stands. */
  start: number;
  query: string;
}

/** Longer is no name that somebody types. */
const MAX_QUERY = 100;
const MAX_LINKS = 50;

/** The mention that is being typed at the cursor; null where none is. `@` begins one at the beginning of a word only. */
export const mentionAt = (text: string, cursor: number): Mention | null => {
  const before = text.slice(Math.max(0, cursor - MAX_QUERY - 2), cursor);
  const match = /(?:^|[\s([{"'`])@([^\s@]*)$/u.exec(before);
  const query = match?.[1];
  return query === undefined || query.length > MAX_QUERY
    ? null
    : { start: cursor - query.length - 1, query };
};

/** The text with the file in place of what was typed, and where the cursor is then. */
export const taken = (
  text: string,
  { start, query }: Mention,
  path: string,
): { text: string; cursor: number } => {
  const rest = text.slice(start + 1 + query.length);
  const name = `@${path}${/^\s/u.test(rest) ? "" : " "}`;
  return {
    text: text.slice(0, start) + name + rest,
    cursor: start + name.length,
  };
};

/** Links to the files that were taken and are still named in the text. */
export const linksOf = (
  text: string,
  files: readonly string[],
  cwd: string,
): ContentBlock[] =>
  [...new Set(files)]
    .filter((path) => isNamed(text, path))
    .slice(0, MAX_LINKS)
    .map((path) => ({
      type: "resource_link",
      uri: fileUri(cwd, path),
      name: path,
    }));

/** `@src/a.ts` names `src/a.ts` and not `src/a.tsx`. */
const isNamed = (text: string, path: string): boolean => {
  const name = `@${path}`;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (
      !/^[\p{L}\p{N}_/-]|^\.[\p{L}\p{N}_]/u.test(text.slice(at + name.length))
    )
      return true;
  return false;
};

const fileUri = (cwd: string, path: string): string =>
  `file://${`${cwd.replace(/\/$/, "")}/${path}`
    .split("/")
    .map(encodeURIComponent)
    .join("/")}`;
