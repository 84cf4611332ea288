/**
 * Changes one member of a JSON file that people write too: comments, trailing commas, the order and the spelling of everything
 * else stay as they are, byte for byte.
 */

/** Where a value lies in the text; of an object also its members. */
interface Span {
  start: number;
  end: number;
  members?: Member[];
}

interface Member {
  key: string;
  /** From the key's first quote to the value's end. */
  start: number;
  value: Span;
}

/** A member two levels down: `["mcpServers", "reprise"]`. */
export type MemberPath = readonly [section: string, name: string];

/** What stands there; undefined when nothing does. Throws `SyntaxError` where the text is no JSON, even with comments. */
export const memberIn = (text: string, path: MemberPath): unknown => {
  const found = locate(text, path).member;
  return found === undefined
    ? undefined
    : JSON.parse(
        withoutComments(text.slice(found.value.start, found.value.end)),
      );
};

/** The text with this value there. */
export const withMember = (
  text: string,
  path: MemberPath,
  value: unknown,
): string => {
  const [section, name] = path;
  const whole = text.trim() === "" ? "{}\n" : text;
  const indent = indentOf(whole);
  const { root, parent, member } = locate(whole, path);
  const rendered = (levels: number, each: unknown): string =>
    JSON.stringify(each, null, indent).replaceAll(
      "\n",
      `\n${indent.repeat(levels)}`,
    );
  if (member !== undefined)
    return splice(whole, member.value, rendered(2, value));
  if (parent !== undefined)
    return insert(
      whole,
      parent,
      1,
      indent,
      `${JSON.stringify(name)}: ${rendered(2, value)}`,
    );
  return insert(
    whole,
    root,
    0,
    indent,
    `${JSON.stringify(section)}: ${rendered(1, { [name]: value })}`,
  );
};

/** The text without it, and without the section when nothing else is in it. */
export const withoutMember = (text: string, path: MemberPath): string => {
  const { root, parent, member } = locate(text, path);
  if (parent === undefined || member === undefined) return text;
  if (membersOf(parent).length > 1) return cut(text, parent, member);
  const section = membersOf(root).find(({ value }) => value === parent);
  return section === undefined ? text : cut(text, root, section);
};

const locate = (text: string, [section, name]: MemberPath) => {
  const root = read(text);
  if (root.members === undefined)
    throw new SyntaxError("it does not hold an object");
  const parent = root.members.find(({ key }) => key === section)?.value;
  if (parent !== undefined && parent.members === undefined)
    throw new SyntaxError(`"${section}" is not an object`);
  const member = parent?.members?.find(({ key }) => key === name);
  return { root, parent, member };
};

const membersOf = ({ members = [] }: Span): Member[] => members;

const splice = (text: string, { start, end }: Span, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

/** As the last member of an object at this depth. */
const insert = (
  text: string,
  object: Span,
  depth: number,
  indent: string,
  member: string,
): string => {
  const last = membersOf(object).at(-1);
  const line = `\n${indent.repeat(depth + 1)}`;
  if (last === undefined) {
    const close = `\n${indent.repeat(depth)}`;
    // A comment may be all that is in it.
    const inside = text.slice(object.start + 1, object.end - 1).trimEnd();
    return splice(text, object, `{${inside}${line}${member}${close}}`);
  }
  const { end } = last.value;
  const comma = nextToken(text, end);
  // A comma that ends the list stays the last thing of it.
  return text[comma] === ","
    ? `${text.slice(0, comma + 1)}${line}${member},${text.slice(comma + 1)}`
    : `${text.slice(0, end)},${line}${member}${text.slice(end)}`;
};

/** A member with the comma and the white space that were there for it. */
const cut = (text: string, object: Span, member: Member): string => {
  const all = membersOf(object);
  const before = all[all.indexOf(member) - 1];
  const comma = nextToken(text, member.value.end);
  const hasComma = text[comma] === ",";
  if (before === undefined && all.length === 1)
    return splice(text, object, `{${without(text, object, member)}}`);
  if (before === undefined)
    return text.slice(0, member.start) + text.slice(all[1]?.start);
  const isLast = all.at(-1) === member;
  const from =
    isLast && !hasComma ? before.value.end : afterComma(text, before);
  return (
    text.slice(0, from) + text.slice(hasComma ? comma + 1 : member.value.end)
  );
};

/** What is in an object besides its only member: nothing, or comments. */
const without = (text: string, object: Span, member: Member): string => {
  const comma = nextToken(text, member.value.end);
  const after = text[comma] === "," ? comma + 1 : member.value.end;
  const before = text.slice(object.start + 1, member.start).trimEnd();
  const rest = text.slice(after, object.end - 1);
  // A comment ends with its line.
  return before === "" && rest.trim() === "" ? "" : `${before}\n${rest}`;
};

const afterComma = (text: string, { value }: Member): number =>
  nextToken(text, value.end) + 1;

/** The white space that one level is indented by, as the file has it. */
const indentOf = (text: string): string =>
  /^[{[][^\S\n]*\r?\n([^\S\n]+)\S/.exec(text.trimStart())?.[1] ?? "  ";

const SKIPPED = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** The next place that is neither white space nor a comment. */
const nextToken = (text: string, from: number): number => {
  SKIPPED.lastIndex = from;
  SKIPPED.exec(text);
  return SKIPPED.lastIndex;
};

const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const ATOM = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const MAX_DEPTH = 100;

const read = (text: string): Span => {
  const value = readValue(
    text,
    nextToken(text, text.startsWith("\ufeff") ? 1 : 0),
    0,
  );
  if (nextToken(text, value.end) !== text.length)
    throw unexpected(text, nextToken(text, value.end));
  return value;
};

const readValue = (text: string, start: number, depth: number): Span => {
  if (depth > MAX_DEPTH) throw new SyntaxError("it nests too deep");
  switch (text[start]) {
    case "{":
      return readObject(text, start, depth);
    case "[":
      return readArray(text, start, depth);
    default:
      return {
        start,
        end: endOf(text[start] === '"' ? STRING : ATOM, text, start),
      };
  }
};

const readObject = (text: string, start: number, depth: number): Span => {
  const members: Member[] = [];
  const end = readList(text, start, "}", (at) => {
    const key = endOf(STRING, text, at);
    const colon = nextToken(text, key);
    if (text[colon] !== ":") throw unexpected(text, colon);
    const value = readValue(text, nextToken(text, colon + 1), depth + 1);
    members.push({
      key: String(JSON.parse(text.slice(at, key))),
      start: at,
      value,
    });
    return value.end;
  });
  return { start, end, members };
};

const readArray = (text: string, start: number, depth: number): Span => ({
  start,
  end: readList(text, start, "]", (at) => readValue(text, at, depth + 1).end),
});

/** Reads items to the closing bracket, and says where that ends. */
const readList = (
  text: string,
  start: number,
  close: string,
  item: (at: number) => number,
): number => {
  let at = nextToken(text, start + 1);
  while (text[at] !== close) {
    at = nextToken(text, item(at));
    if (text[at] === ",") at = nextToken(text, at + 1);
    else if (text[at] !== close) throw unexpected(text, at);
  }
  return at + 1;
};

const endOf = (pattern: RegExp, text: string, start: number): number => {
  pattern.lastIndex = start;
  if (pattern.exec(text) === null) throw unexpected(text, start);
  return pattern.lastIndex;
};

const unexpected = (text: string, at: number): SyntaxError => {
  const line = text.slice(0, at).split("\n").length;
  return new SyntaxError(
    at >= text.length ? "it ends in the middle" : `line ${line} is no JSON`,
  );
};

const withoutComments = (text: string): string =>
  text
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1")
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, "$1");
