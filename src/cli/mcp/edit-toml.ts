/** Changes one table of a TOML file that people write too: everything else stays as it is, byte for byte. */

export type TomlTable = Readonly<Record<string, TomlValue>>;
type TomlValue =
  | string
  | number
  | boolean
  | readonly string[]
  | Readonly<Record<string, string>>;

/** The lines of a table and of the tables in it; null when there is none. Throws where it is written in a way that is not edited. */
export const tableIn = (text: string, name: string): string | null => {
  const found = locate(text, name);
  return found === null ? null : text.slice(found.start, found.end).trimEnd();
};

/** The text with this table in place of the one there, or at its end. */
export const withTable = (
  text: string,
  name: string,
  table: TomlTable,
): string => {
  const rendered = renderTable(name, table);
  const found = locate(text, name);
  if (found === null) return `${text}${gapAfter(text)}${rendered}`;
  const rest = text.slice(found.end);
  const gap = rest === "" ? "" : "\n";
  return `${text.slice(0, found.start)}${rendered}${gap}${rest}`;
};

export const withoutTable = (text: string, name: string): string => {
  const found = locate(text, name);
  if (found === null) return text;
  const before = text.slice(0, found.start);
  const after = text.slice(found.end);
  // The empty line that set it apart goes with it.
  return after === "" ? before.replace(/\n\n$/, "\n") : before + after;
};

export const renderTable = (name: string, table: TomlTable): string =>
  `[${name}]\n${Object.entries(table)
    .map(([key, value]) => `${key} = ${render(value)}\n`)
    .join("")}`;

/** Strings of JSON are strings of TOML. */
const render = (value: TomlValue): string => {
  if (isList(value))
    return `[${value.map((each) => JSON.stringify(each)).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const pairs = Object.entries(value).map(
    ([key, each]) => `${key} = ${JSON.stringify(each)}`,
  );
  return `{ ${pairs.join(", ")} }`;
};

const isList = (value: TomlValue): value is readonly string[] =>
  Array.isArray(value);

const gapAfter = (text: string): string => {
  if (text === "") return "";
  return text.endsWith("\n") ? "\n" : "\n\n";
};

const locate = (
  text: string,
  name: string,
): { start: number; end: number } | null => {
  refuseOtherForms(text, name);
  const headers = headersIn(text);
  const own = headers.findIndex((each) => isWithin(each.name, name));
  const first = headers[own];
  if (first === undefined) return null;
  const next = headers.slice(own).find((each) => !isWithin(each.name, name));
  return { start: first.start, end: next?.start ?? text.length };
};

const isWithin = (header: string, name: string): boolean =>
  header === name || header.startsWith(`${name}.`);

const MULTI_LINE = /"""[\s\S]*?"""|'''[\s\S]*?'''/g;

/** Without what stands in strings of several lines. */
const blanked = (text: string): string =>
  text.replaceAll(MULTI_LINE, (each) => " ".repeat(each.length));

/** The headers of tables, with their names without quotes and white space. What stands in strings of several lines is none. */
const headersIn = (text: string): { name: string; start: number }[] => {
  return [...blanked(text).matchAll(/^[^\S\n]*\[+([^\]\n]+)\]/gm)].map(
    (match) => ({
      name: (match[1] ?? "").replaceAll(/["'\s]/g, ""),
      start: match.index,
    }),
  );
};

/** `mcp_servers.reprise.command = …` and `reprise = {…}` below `[mcp_servers]` are rare, and theirs to change who wrote them. */
const refuseOtherForms = (text: string, name: string): void => {
  const [parent = "", child = ""] = name.split(".");
  const broken = /^[^\S\n]*\[+[^\S\n]*[A-Za-z_][^\]\n]*$/m.exec(blanked(text));
  if (broken !== null)
    throw new SyntaxError(`"${broken[0].trim()}" is no heading of a table`);
  const below = new RegExp(
    `^\\s*\\[${parent}\\][^[]*?^\\s*["']?${child}["']?\\s*[.=]`,
    "m",
  );
  const dotted = new RegExp(
    `^\\s*${parent}\\s*(=|\\.\\s*["']?${child}["']?\\s*[.=])`,
    "m",
  );
  if (below.test(text) || dotted.test(text))
    throw new SyntaxError(`${name} is not written as a table`);
};
