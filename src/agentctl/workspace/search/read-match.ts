/** Lines of `rg --json` as matches. Pure. */
import {
  join,
  type ByteString,
} from "../../../checkpoint/format/byte-string.ts";
import {
  MAX_LINE,
  type SearchMatch,
} from "../../../contract/session/search.ts";
import type { Line } from "../../../kit/data/ndjson.ts";
import { named } from "../files/named.ts";

/** So much of a line stands before what matched, where the line is too long to be told whole. */
const BEFORE = 100;

/** Null for what is no match. `above` is the directory that was searched. */
export const matchIn = (
  { bytes, end, cut }: Line,
  above: ByteString,
): SearchMatch | null => {
  if (cut) return fromBeginning(bytes, end ?? Buffer.alloc(0), above);
  const message: unknown = JSON.parse(bytes.toString("utf8"));
  const data = matchData(message);
  if (data === null) return null;
  const line = withoutNewline(bytesOf(data.lines));
  const ranges = inCharacters(line, data.submatches);
  return {
    ...pathOf(bytesOf(data.path), above),
    line: data.line_number,
    ...shown(line.toString("utf8"), ranges),
  };
};

/** A line so long that ripgrep's message was cut: its path, its number if that is in the end, and how it begins. */
const fromBeginning = (
  bytes: Buffer,
  end: Buffer,
  above: ByteString,
): SearchMatch | null => {
  const head =
    /^\{"type":"match","data":\{"path":(\{.*?\}),"lines":\{"text":"((?:[^"\\]|\\.)*)/s.exec(
      bytes.toString("utf8"),
    );
  const path = textOrBytes(parsed(head?.[1] ?? ""));
  if (path === null) return null;
  const number = /"line_number":(\d+),"absolute_offset"/.exec(
    end.toString("utf8"),
  )?.[1];
  const text = (head?.[2] ?? "").slice(0, MAX_LINE).replace(/\\[^\\]*$/, "");
  return {
    ...pathOf(bytesOf(path), above),
    line: number === undefined ? null : Number(number),
    text: textOf(`"${text}"`),
    cut: true,
    ranges: [],
  };
};

interface Range {
  start: number;
  end: number;
}

/** The part of a line that is told: from a little before the first match on. */
const shown = (
  line: string,
  ranges: readonly Range[],
): Pick<SearchMatch, "text" | "cut" | "ranges"> => {
  if (line.length <= MAX_LINE)
    return { text: line, cut: false, ranges: [...ranges] };
  const from = Math.min(
    Math.max(0, (ranges[0]?.start ?? 0) - BEFORE),
    line.length - MAX_LINE,
  );
  const within = ranges
    .map(({ start, end }) => ({
      start: start - from,
      end: Math.min(end - from, MAX_LINE),
    }))
    .filter(({ start }) => start >= 0 && start < MAX_LINE);
  const text = line.slice(from, from + MAX_LINE);
  return { text: text.toWellFormed(), cut: true, ranges: within };
};

const pathOf = (path: Buffer, above: ByteString) =>
  named("path", join(above, path.toString("latin1").replace(/^\.\//, "")));

/**
 * Places in bytes as places in characters, in one pass: a long line may have thousands of them. Those that stand too far
 * behind the first one to be told are left out.
 */
const inCharacters = (line: Buffer, places: readonly Range[]): Range[] => {
  const ranges: Range[] = [];
  let at = { byte: 0, character: 0 };
  const goTo = (byte: number): number => {
    const passed = line.toString("utf8", at.byte, byte).length;
    at = { byte, character: at.character + passed };
    return at.character;
  };
  for (const place of places) {
    const start = goTo(place.start);
    if (start - (ranges[0]?.start ?? start) >= MAX_LINE) break;
    ranges.push({ start, end: goTo(place.end) });
  }
  return ranges;
};

const withoutNewline = (line: Buffer): Buffer =>
  Buffer.from(line.toString("latin1").replace(/\r?\n$/, ""), "latin1");

/** ripgrep tells bytes that are no text in Base64. */
type Told = { text: string } | { bytes: string };

const bytesOf = (told: Told): Buffer =>
  "text" in told ? Buffer.from(told.text) : Buffer.from(told.bytes, "base64");

interface MatchData {
  path: Told;
  lines: Told;
  line_number: number | null;
  submatches: readonly Range[];
}

const matchData = (message: unknown): MatchData | null => {
  if (field(message, "type") !== "match") return null;
  const data = field(message, "data");
  const path = textOrBytes(field(data, "path"));
  const lines = textOrBytes(field(data, "lines"));
  if (path === null || lines === null) return null;
  const number = field(data, "line_number");
  const submatches = field(data, "submatches");
  return {
    path,
    lines,
    line_number: typeof number === "number" ? number : null,
    submatches: Array.isArray(submatches) ? submatches.flatMap(rangeIn) : [],
  };
};

const rangeIn = (told: unknown): Range[] => {
  const [start, end] = [field(told, "start"), field(told, "end")];
  return typeof start === "number" && typeof end === "number"
    ? [{ start, end }]
    : [];
};

const textOrBytes = (told: unknown): Told | null => {
  const [text, bytes] = [field(told, "text"), field(told, "bytes")];
  if (typeof text === "string") return { text };
  return typeof bytes === "string" ? { bytes } : null;
};

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? Reflect.get(value, name)
    : undefined;

const textOf = (json: string): string => {
  const text = parsed(json);
  return typeof text === "string" ? text : "";
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
