/**
 * What a permission request is about: the tool call, told by the request itself and by what the agent said of the call
 * before. Whoever answers must see what they allow, so both are put together, each field at most so long.
 */
import type { AskedTool } from "../../contract/agent/asked-tool.ts";
import { type CallInput, callInput } from "../../contract/agent/call-input.ts";
import { fitting } from "../../contract/base/text-limit.ts";
import type { Tool } from "../../contract/agent/tool.ts";
import { unifiedDiff } from "../../kit/data/unified-diff.ts";

const MAX_TITLE = 2000;
const MAX_COMMAND = 8000;
const MAX_PATHS = 50;
const MAX_PATH = 1000;
const MAX_DIFF = 16_000;
const MAX_INPUT = 4000;
/** A diff that needs more edits is told as one text that goes and one that comes: the search costs the square of it. */
const MAX_EDITS = 200;
/** Of longer texts the part that differs is compared, and of that the beginning: calls that tell of a change are many. */
const MAX_COMPARED = 20_000;

export const nothingAsked: AskedTool = {
  id: null,
  kind: null,
  title: null,
  command: null,
  paths: [],
  diff: null,
  input: null,
};

/** What a tool call, or an update of one, tells of it. */
export const askedToolOf = (tool: Tool): AskedTool => {
  const call = callInput(tool.input);
  const title = limited(tool.title, MAX_TITLE);
  const line = limited(call.command, MAX_COMMAND);
  // Of one whose arguments cannot be read, only a part is told.
  const command = { ...line, isCut: line.isCut || isPartOf(call) };
  const diff = diffOf(tool, call);
  const input = limited(
    command.value === null && diff.value === null ? inputOf(tool) : null,
    MAX_INPUT,
  );
  const paths = pathsOf(tool, call);
  const fields = { title, command, diff, input };
  return {
    id: tool.id,
    kind: tool.kind ?? null,
    title: title.value,
    command: command.value,
    paths: paths.slice(0, MAX_PATHS).map(shortPath),
    diff: diff.value,
    input: input.value,
    ...shortenedIn([
      ...FIELDS.filter((name) => fields[name].isCut),
      ...(paths.length > MAX_PATHS || paths.some(isLong)
        ? (["paths"] as const)
        : []),
    ]),
  };
};

const isPartOf = ({ command, isUnread }: CallInput): boolean =>
  command !== null && isUnread;

/** What is told later counts, and what it does not tell stays as it was told before. */
export const mergeAsked = (before: AskedTool, later: AskedTool): AskedTool => {
  const command = later.command ?? before.command;
  const diff = later.diff ?? before.diff;
  const isOlder = {
    title: later.title === null,
    command: later.command === null,
    diff: later.diff === null,
    input: later.input === null,
    paths: later.paths.length === 0,
  };
  const hasInput = command === null && diff === null;
  return {
    id: later.id ?? before.id,
    kind: later.kind ?? before.kind,
    title: later.title ?? before.title,
    command,
    paths: isOlder.paths ? before.paths : later.paths,
    diff,
    input: hasInput ? (later.input ?? before.input) : null,
    ...shortenedIn([
      ...(before.shortened ?? []).filter((name) => isOlder[name]),
      ...(later.shortened ?? []),
    ]),
  };
};

const FIELDS = ["title", "command", "diff", "input"] as const;

const shortenedIn = (
  names: NonNullable<AskedTool["shortened"]>,
): Pick<AskedTool, "shortened"> =>
  names.length === 0 ? {} : { shortened: names };

interface Limited {
  value: string | null;
  isCut: boolean;
}

const limited = (text: string | null | undefined, max: number): Limited => {
  if (text === null || text === undefined || text === "")
    return { value: null, isCut: false };
  const end = fitting(text, max);
  return { value: text.slice(0, end), isCut: end < text.length };
};

const isLong = (path: string): boolean => path.length > MAX_PATH;
const shortPath = (path: string): string =>
  path.slice(0, fitting(path, MAX_PATH));

/** A relative path that one of the others ends with is the same file. */
export const pathsOf = (
  { diffs = [], locations = [] }: Tool,
  { paths }: CallInput,
): string[] => {
  const shown = [...diffs.map(pathOf), ...locations.map(pathOf)];
  const others = paths.filter(
    (path) => !shown.some((each) => each.endsWith(`/${path}`)),
  );
  return [...new Set([...shown, ...others])];
};

const pathOf = ({ path }: { path: string }): string => path;

const diffOf = ({ diffs = [] }: Tool, { diff }: CallInput): Limited => {
  if (diffs.length === 0) return limited(diff, MAX_DIFF);
  const files = diffs.map(fileDiff);
  const all = limited(files.map(({ text }) => text).join(""), MAX_DIFF);
  return { ...all, isCut: all.isCut || files.some(({ isCut }) => isCut) };
};

const fileDiff = ({
  path,
  old_text,
  new_text,
}: NonNullable<Tool["diffs"]>[number]): { text: string; isCut: boolean } => {
  const name = path.replaceAll(/\s+/g, " ");
  const old = { name: old_text === null ? null : name, text: old_text ?? "" };
  const now = { name, text: new_text };
  if (old.text.length + now.text.length <= MAX_COMPARED)
    return { text: unifiedDiff(old, now, MAX_EDITS), isCut: false };
  const from = sameStart(old.text, now.text);
  const to = from + MAX_COMPARED / 2;
  const diff = unifiedDiff(
    { ...old, text: old.text.slice(from, to) },
    { ...now, text: now.text.slice(from, to) },
    MAX_EDITS,
  );
  return {
    text: `(a long file: from character ${from} on)\n${diff}`,
    isCut: Math.max(old.text.length, now.text.length) > to,
  };
};

/** Where the first line that differs begins. */
const sameStart = (old: string, now: string): number => {
  const shorter = Math.min(old.length, now.length);
  let at = 0;
  while (at < shorter && old.charCodeAt(at) === now.charCodeAt(at)) at += 1;
  return now.lastIndexOf("\n", at - 1) + 1;
};

/** Nothing where there is nothing in it. */
const inputOf = ({ input }: Tool): string | null => {
  if (typeof input !== "object" || input === null) return null;
  return Object.keys(input).length === 0 ? null : JSON.stringify(input);
};
