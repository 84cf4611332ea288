/**
 * The commands in a command line, each in the forms that a rule which denies may name it by. It finds too many commands
 * rather than too few: it also splits at operators that stand in quotes. What it does not see is in docs/security.md.
 */
import { readShell, type ShellWord } from "./shell-line.ts";
import {
  FOLLOWED,
  HOLDS_SCRIPT,
  PASSED_ON,
  READS_INPUT,
  RUN_LATER,
  RUNNERS,
  RUNS_REST,
  RUNS_SCRIPT,
  RUNS_WORDS,
  SHELL_WORDS,
  SHELLS,
} from "./shell-programs.ts";

/** A line as rules that deny compare it: one space between words. */
export const oneSpaced = (text: string): string =>
  text.trim().replaceAll(/\s+/g, " ");

/** The line itself, and each command in it. */
export const commandsIn = (line: string): Set<string> =>
  new Set([line, ...line.split(BETWEEN)]);

/** Where the forms go. One that is full takes no more of them, and ends the search. */
export interface FormSink {
  add(form: string): void;
  /** Counts characters that the search reads. Too many of them fill the sink too. */
  spend(characters: number): void;
  readonly isFull: boolean;
}

/** Adds all forms of all commands in a line. False: not everything that the line runs is known. */
export const addCommands = (line: string, sink: FormSink): boolean => {
  const finder = new CommandFinder(sink);
  finder.search(line);
  return finder.isClear;
};

/** `bash -c "sudo sh -c …"` is followed so far. */
const MAX_DEPTH = 8;

/** What a shell ends a command with, sends its output away with, runs another in the middle of one by, or groups them with. */
const BETWEEN = /[;&|<>`\n\r(){}]/;
/** Assignments and words of the shell: `FOO=1 rm x`, `then rm x`. */
const BEFORE =
  /^(?:(?:\w+\+?=(?:"[^"]*"|'[^']*'|[^\s"'])*|if|then|elif|else|while|until|do|!|time) )+/i;
const ASSIGNMENT = /^\w+(?:\[[^\]]*\])?\+?=/;
const DIRECTORY = /^[^ ]*\//;
/** Options of `xargs` that say where the words go which it reads. */
const PLACEHOLDER = /^(?:-[IiJ]|--replace)/;

/** What it runs may be among words that are not visible here. */
const runsOthers = (name: string): boolean =>
  name === "eval" || SHELLS.test(name) || entryOf(RUNNERS, name) !== undefined;

/** A line, and the words in it that the search has come to as the start of a command. */
interface Script {
  line: string;
  starts: Set<number>;
}

/** A line to be read, or the command that begins with one of its words. */
interface Place {
  script: Script;
  depth: number;
  command?: Begun;
}

interface Begun {
  words: readonly ShellWord[];
  start: number;
  /** It gets more words, which are not visible here. */
  takesMore: boolean;
}

/**
 * The search looks at each line and each word once: what is within fewer others comes first in the queue, so no later look
 * could go deeper.
 */
class CommandFinder {
  isClear = true;
  readonly #sink: FormSink;
  readonly #scripts = new Map<string, Script>();
  readonly #queue: Place[] = [];

  constructor(sink: FormSink) {
    this.#sink = sink;
  }

  search(line: string): void {
    this.#addLine(line, MAX_DEPTH);
    for (const { script, depth, command } of this.#queue) {
      if (this.#sink.isFull || depth === 0) {
        this.isClear = false;
        return;
      }
      if (command === undefined) this.#readLine(script, depth);
      else this.#readCommand(command, script, depth);
    }
  }

  #addLine(line: string, depth: number): void {
    if (this.#scripts.has(line)) return;
    const script = { line, starts: new Set<number>() };
    this.#scripts.set(line, script);
    this.#queue.push({ script, depth });
  }

  #addCommand(
    words: readonly ShellWord[],
    start: number,
    script: Script,
    depth: number,
    takesMore = false,
  ): void {
    const first = words[start];
    if (first === undefined || script.starts.has(first.from)) return;
    script.starts.add(first.from);
    this.#queue.push({ script, depth, command: { words, start, takesMore } });
  }

  #readLine(script: Script, depth: number): void {
    const { line } = script;
    this.#sink.spend(line.length);
    for (const each of commandsIn(line)) {
      const command = oneSpaced(each);
      const bare = command.replace(BEFORE, "");
      for (const form of [command, bare, bare.replace(DIRECTORY, "")])
        this.#sink.add(form);
    }
    const { commands, scripts, isClear } = readShell(line);
    this.isClear &&= isClear;
    for (const words of commands)
      this.#readCommand({ words, start: 0, takesMore: false }, script, depth);
    for (const each of scripts) this.#addLine(each, depth - 1);
  }

  #readCommand(command: Begun, script: Script, depth: number): void {
    const words = command.words.slice(command.start);
    const start = words.findIndex(
      ({ text }) =>
        !ASSIGNMENT.test(text) && !SHELL_WORDS.has(text.toLowerCase()),
    );
    const program = words[start];
    const last = words.at(-1);
    if (words.some(({ text }) => RUN_LATER.test(text))) this.isClear = false;
    if (program === undefined || last === undefined) return;
    // zsh looks up `=rm` as it does `rm`.
    if (this.#sink.isFull || !program.isKnown || program.text.startsWith("="))
      this.isClear = false;
    if (this.#sink.isFull) return;
    this.#sink.spend(last.to - program.from);
    const args = words.slice(start + 1);
    const name = program.text.replace(/^.*\//s, "");
    const rest = args.map(({ text }) => ` ${text}`).join("");
    for (const form of [program.text + rest, name + rest]) {
      this.#sink.add(oneSpaced(form));
      if (command.takesMore) this.#sink.add(oneSpaced(`${form} …`));
    }
    if (command.takesMore && runsOthers(name.toLowerCase()))
      this.isClear = false;
    this.#findRun(name.toLowerCase(), args, script, depth - 1);
  }

  /** What the program runs, where it is one that runs others. */
  #findRun(
    name: string,
    args: readonly ShellWord[],
    script: Script,
    depth: number,
  ): void {
    const addText = (text: string, words: readonly ShellWord[]): void => {
      if (words.some(({ isKnown }) => !isKnown)) this.isClear = false;
      this.#addLine(text, depth);
    };
    const holding = entryOf(HOLDS_SCRIPT, name);
    // What follows the program that `env` runs are options of that one.
    const options =
      name === "env" ? args.slice(0, this.#operands(args, 0).at(-1)) : args;
    if (holding !== undefined && options.some(({ text }) => holding.test(text)))
      this.isClear = false;
    // An alias is a part of the commands that follow.
    if (name === "alias" && args.length > 0) this.isClear = false;
    // A name may stand for any program from here on.
    if (name === "hash" && args.some(({ text }) => /^-\w*p/.test(text)))
      this.isClear = false;
    const followed = entryOf(FOLLOWED, name);
    const own = entryOf(RUNNERS, name);
    // The words that it reads may be anywhere in the command, or be the command.
    if (name === "xargs" && args.some(({ text }) => PLACEHOLDER.test(text)))
      this.isClear = false;
    if (name === "eval")
      addText(textOf(args[0]?.text === "--" ? args.slice(1) : args), args);
    else if (RUNS_WORDS.has(name))
      for (const word of args)
        addText(word.text.replace(ASSIGNMENT, ""), [word]);
    else if (name === "parallel") this.isClear = false;
    else if (name === "." || name === "source") this.#findFile(args);
    else if (SHELLS.test(name)) this.#findScript(args, script, depth);
    else if (followed !== undefined)
      for (const [at, { text }] of args.entries()) {
        if (text === followed) this.#addCommand(args, at + 1, script, depth);
      }
    if (own !== undefined)
      for (const at of this.#operands(args, own)) {
        const word = args[at];
        if (word !== undefined && /\s/.test(word.text))
          addText(word.text, [word]);
        const takesMore = name === "xargs";
        this.#addCommand(args, at, script, depth, takesMore);
      }
    else if (name === "find")
      for (const [at, { text }] of args.entries())
        if (RUNS_REST.has(text.toLowerCase()))
          this.#addCommand(args, at + 1, script, depth);
  }

  /** An agent may tell the words of a command without quotes: all that follows `-c` may be the script. */
  #findScript(
    args: readonly ShellWord[],
    { line }: Script,
    depth: number,
  ): void {
    const flag = args.findIndex(({ text }) => RUNS_SCRIPT.test(text));
    const words = args.slice(flag + 1);
    // `bash -co pipefail 'rm x'`: the value of `-o` comes first.
    const own = args[flag]?.text.match(/^-\w*o/i) ? 1 : 0;
    const starts = this.#operands(words, own);
    const options = words.slice(0, starts.at(-1));
    // Without an operand it reads its commands from elsewhere.
    if (
      starts.length === 0 ||
      (flag === -1 && options.some(({ text }) => READS_INPUT.test(text)))
    )
      this.isClear = false;
    if (flag === -1) this.#findFile(words);
    for (const at of starts) {
      const word = words[at];
      const last = words.at(-1);
      if (word === undefined || last === undefined) continue;
      if (!word.isKnown) this.isClear = false;
      if (flag === -1) continue;
      this.#addLine(word.text, depth);
      if (last !== word) this.#addLine(line.slice(word.from, last.to), depth);
    }
  }

  /** A script in a file is not seen, but it must be a file. */
  #findFile(words: readonly ShellWord[]): void {
    for (const at of this.#operands(words, 0)) {
      const word = words[at];
      if (word?.isKnown !== true || PASSED_ON.test(word.text))
        this.isClear = false;
    }
  }

  /** Where the first operands stand, `own` and one more. A word behind an option may be its value, or an operand. */
  #operands(words: readonly ShellWord[], own: number): number[] {
    const found: number[] = [];
    let left = own;
    let isAfterOption = false;
    for (const [at, { text }] of words.entries()) {
      if (/^[-+]./.test(text)) {
        // `-c'rm x'`, `--split-string='rm x'`
        if (/\s/.test(text)) this.isClear = false;
        isAfterOption = text !== "--" && !text.includes("=");
        continue;
      }
      if (text === "-") isAfterOption = false;
      if (text === "-" || ASSIGNMENT.test(text)) continue;
      found.push(at);
      if (!isAfterOption && left-- === 0) break;
      isAfterOption = false;
    }
    return found;
  }
}

const entryOf = <T>(
  entries: Readonly<Record<string, T>>,
  name: string,
): T | undefined => (Object.hasOwn(entries, name) ? entries[name] : undefined);

const textOf = (words: readonly ShellWord[]): string =>
  words.map(({ text }) => text).join(" ");
