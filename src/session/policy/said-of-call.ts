/**
 * What an agent has said about a tool call that it asks permission for: in the request, and before it. ACP lets a request
 * name the call and nothing more. All of it is prepared once, for hundreds of patterns.
 */
import type { AskedTool } from "../../contract/agent/asked-tool.ts";
import { callInput } from "../../contract/agent/call-input.ts";
import type { PermissionOption } from "../../contract/agent/permission.ts";
import type { Tool } from "../../contract/agent/tool.ts";
import { pathsOf } from "../state/asked-tool.ts";
import { addCommands, commandsIn, oneSpaced } from "./command-forms.ts";
import { readShell } from "./shell-line.ts";

/** A permission request. */
export interface Asking {
  title: string;
  tool_kind: string | null;
  tool_name?: string | null | undefined;
  detail?: string | null | undefined;
  tool_call_id?: string | null | undefined;
  tool?: Tool | undefined;
  options: readonly PermissionOption[];
}

/** All texts are in lower case. */
export interface Said {
  name: string | null;
  kinds: readonly string[];
  titles: readonly string[];
  /** All that a rule which denies may name the tool by. */
  names: readonly string[];
  /** What the tool is to do, as each message says it: a rule that allows must fit all of it. */
  whole: readonly string[];
  /** Each command and path in it, and what else may be meant by a rule that denies. */
  parts: readonly string[];
  /** The titles and `whole` texts that a star may stand for a part of: one command, and no path that goes back up. */
  single: ReadonlySet<string>;
  /** `parts` does not hold everything, or not all of it was understood, or nothing is known. */
  isPartial: boolean;
}

/** What one message says. */
interface Message {
  kind: string | null;
  title: string | null;
  command: string | null;
  /** Each file once. */
  files: readonly string[];
  /** All spellings of them. */
  paths: readonly string[];
  /** An address, a query, a pattern; beside a command, also what may be a second one. */
  others: readonly string[];
  /** There is more of it than is told here. */
  isCut: boolean;
}

export const saidOf = (asking: Asking, before: AskedTool | null): Said => {
  const messages = [
    messageOf(asking),
    ...(before === null ? [] : [earlier(before)]),
  ];
  const name = asking.tool_name?.toLowerCase() ?? null;
  const kinds = distinct(messages.map(({ kind }) => kind));
  const titles = distinct(messages.map(({ title }) => title));
  const whole = distinct(messages.flatMap(wholeOf)).map((text) => text.trim());
  const commands = distinct(messages.map(({ command }) => command));
  const parts = partsOf(messages);
  return {
    name,
    kinds,
    titles,
    names: distinct([
      name,
      ...kinds,
      ...titles.map(oneSpaced),
      ...(name === null ? titles.map((title) => splitTitle(title).first) : []),
    ]),
    whole: whole.length > MAX_PARTS ? [] : whole,
    single: new Set([
      ...kinds,
      ...(parts.isClear ? singleOf([...titles, ...whole], commands) : []),
    ]),
    parts: parts.texts,
    isPartial:
      parts.isPartial || !parts.isClear || messages.some(({ isCut }) => isCut),
  };
};

const distinct = (texts: readonly (string | null)[]): string[] => [
  ...new Set(
    texts.flatMap((text) => (text === null ? [] : [text.toLowerCase()])),
  ),
];

/** A request without a title comes here with the id of its call as one. */
const messageOf = (asking: Asking): Message => {
  const { tool, tool_kind: kind, tool_call_id, detail } = asking;
  const isTitled =
    tool === undefined
      ? asking.title !== tool_call_id
      : tool.title !== undefined || asking.title !== tool.id;
  const input = callInput(tool?.input);
  const files = tool === undefined ? [] : pathsOf(tool, input);
  const isTold = input.command !== null || files.length > 0;
  // Agentctl tells a path as the detail too, and of an older one nothing else comes.
  const isDetail = !isTold && detail != null && detail !== "";
  const isFile = FILE_KINDS.has(kind ?? "");
  return {
    kind,
    title: isTitled ? asking.title : null,
    command: isDetail && !isFile ? detail : input.command,
    files: isDetail && isFile ? [detail] : files,
    paths: isDetail && isFile ? [detail] : [...files, ...input.paths],
    others: input.others,
    isCut: input.isUnread || runsUnknown(kind, input.command, tool?.input),
  };
};

/** It runs something, and its input has fields, but none that is known to hold the command. */
const runsUnknown = (
  kind: string | null,
  command: string | null,
  input: unknown,
): boolean =>
  kind === "execute" &&
  command === null &&
  typeof input === "object" &&
  input !== null &&
  Object.keys(input).length > 0;

const earlier = ({ kind, title, command, ...call }: AskedTool): Message => {
  const input = parsed(call.input);
  const { others, isUnread } = callInput(input);
  const isShortened = (call.shortened ?? []).some((field) =>
    ["command", "paths", "input"].includes(field),
  );
  return {
    kind,
    title,
    command,
    files: call.paths,
    paths: call.paths,
    others,
    isCut: isUnread || runsUnknown(kind, command, input) || isShortened,
  };
};

/** The input is kept as JSON, and only its beginning where it is long. */
const parsed = (json: string | null): unknown => {
  if (json === null) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

const FILE_KINDS = new Set([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "fetch",
]);

const wholeOf = ({ command, files, others, title }: Message): string[] => {
  if (command !== null) return [command, ...others];
  if (files.length > 0) return [...files];
  const [other] = others;
  if (other !== undefined) return [other];
  return title === null ? [] : [title];
};

/** A longer text is known by its beginning. Agentctl cuts a detail to this length and a title to a quarter of it. */
const MAX_LENGTH = 8000;
const MAX_TITLE = 2000;
/** The work for one request ends here: each text is compared with up to 700 patterns. */
const MAX_PARTS = 200;
const MAX_CHARACTERS = 32_000;
/** So many characters are read in search of commands. A line within a line is read again. */
const MAX_READ = 400_000;

interface Parts {
  texts: string[];
  isPartial: boolean;
  /** All that the commands run is known. */
  isClear: boolean;
}

const partsOf = (messages: readonly Message[]): Parts => {
  const texts = new Set<string>();
  let room = MAX_CHARACTERS;
  let left = MAX_READ;
  let isCut = false;
  let isClear = true;
  const sink = {
    isFull: false,
    add: (form: string): void => {
      const text = form.toLowerCase();
      if (text === "" || texts.has(text)) return;
      sink.isFull ||= texts.size >= MAX_PARTS || text.length > room;
      if (sink.isFull) return;
      room -= text.length;
      texts.add(text);
    },
    spend: (characters: number): void => {
      left -= characters;
      sink.isFull ||= left < 0;
    },
  };
  const beginningOf = (text: string, max = MAX_LENGTH): string => {
    isCut ||= text.length >= max;
    return text.slice(0, max);
  };
  const addClear = (line: string): void => {
    if (!addCommands(line, sink)) isClear = false;
  };
  for (const { kind, title, command, paths, others } of messages) {
    const about = [...paths, ...others];
    const isFile = FILE_KINDS.has(kind ?? "");
    if (command !== null) addClear(beginningOf(command));
    // Beside a command, one of these may be another one.
    if (command !== null)
      for (const text of others) addClear(beginningOf(text));
    for (const text of about)
      if (!sink.isFull)
        for (const each of commandsIn(beginningOf(text)))
          sink.add(oneSpaced(each));
    if (title === null) continue;
    const isAll = command === null && about.length === 0;
    const words = isAll
      ? beginningOf(title, MAX_TITLE)
      : title.slice(0, MAX_TITLE);
    // A title can be words of a person. It has to be understood where nothing else says what is run.
    if (isAll && !isFile) addClear(words);
    else if (isAll || !isFile) addCommands(words, sink);
    sink.add(oneSpaced(splitTitle(words).rest));
  }
  return {
    texts: [...texts],
    isPartial: sink.isFull || isCut || texts.size === 0,
    isClear,
  };
};

/** `Write a.txt`: many agents have no name for a tool and say it first in the title. */
const splitTitle = (title: string): { first: string; rest: string } => {
  const [first = ""] = /[\p{L}\p{N}_.-]+/u.exec(title) ?? [];
  const rest = title.slice(title.indexOf(first) + first.length);
  return { first, rest: rest.trim() };
};

const singleOf = (
  texts: readonly string[],
  commands: readonly string[],
): string[] => {
  const lines = new Set(commands.map((command) => command.trim()));
  return texts.filter(
    (text) => isOneThing(text) && (!lines.has(text) || isOneCommand(text)),
  );
};

/** A parenthesis that is not quoted begins another, or a pattern that may run one. */
const isOneCommand = (line: string): boolean =>
  readShell(line).commands.length === 1;

const isOneThing = (text: string): boolean =>
  text.length <= LONGEST &&
  !WAY_UP.test(text) &&
  (!OPERATORS.test(text) || ADDRESS.test(text));

/** What a shell ends a command with, sends its output away with, or runs another in the middle of one by. */
const OPERATORS = /[;&|<>`\n\r]|\$\(|\$\{[\s|]/;
/** One word, in which `&` is no operator. */
const ADDRESS = /^https?:\/\/[^\s;|<>`$]*$/;
/** A path that goes back out of the directory it begins with. */
const WAY_UP = /(^|\/)\.\.(\/|$)/;
/** Longer texts may have been cut before they come here: what follows is unknown. */
const LONGEST = 4000;
