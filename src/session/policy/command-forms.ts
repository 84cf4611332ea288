/**
 * The commands in a command line, each in the forms that a rule which denies may name it by. It finds too many commands
 * rather than too few: it also splits at operators that stand in quotes. What it does not see is in docs/security.md.
 */
import { readShell, type ShellWord } from "./shell-line.ts";

/** A line as rules that deny compare it: one space between words. */
export const oneSpaced = (text: string): string =>
  text.trim().replaceAll(/\s+/g, " ");

/** The line itself, and each command in it. */
export const commandsIn = (line: string): Set<string> =>
  new Set([line, ...line.split(BETWEEN)]);

/** Where the forms go. One that is full takes no more of them. */
export interface FormSink {
  add(form: string): void;
  readonly isFull: boolean;
}

/** Adds all forms of all commands in a line. False: not everything that the line runs is known. */
export const addCommands = (line: string, sink: FormSink): boolean => {
  const finder = new CommandFinder(sink);
  finder.find(line, MAX_DEPTH);
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
const SHELL_WORDS = new Set(
  "if then elif else while until do ! { } time".split(" "),
);
const DIRECTORY = /^[^ ]*\//;
/** Programs that run a script which they are given with `-c`. */
const SHELLS =
  /^(?:(?:a|ba|c|da|fi|k|mk|pdk|r|rba|tc|ya|z)?sh|su|runuser|script)$/;
const RUNS_SCRIPT = /^(?:-[a-z]*c[a-z]*|--command)$/;
/** Programs that run the command behind their options, and how many words of their own may stand before it. */
const RUNNERS: Readonly<Record<string, number>> = {
  builtin: 0,
  busybox: 0,
  chroot: 1,
  chrt: 1,
  command: 0,
  coproc: 1,
  doas: 0,
  env: 0,
  exec: 0,
  flock: 1,
  function: 1,
  gosu: 1,
  ionice: 0,
  nice: 0,
  nohup: 0,
  nsenter: 0,
  pkexec: 0,
  setpriv: 0,
  setsid: 0,
  ssh: 1,
  stdbuf: 0,
  strace: 0,
  sudo: 0,
  "systemd-run": 0,
  taskset: 1,
  time: 0,
  timeout: 1,
  toybox: 0,
  unshare: 0,
  watch: 0,
  xargs: 0,
};
/** `find … -exec rm {} ;` */
const RUNS_REST = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

class CommandFinder {
  isClear = true;
  readonly #sink: FormSink;
  readonly #seen = new Set<string>();

  constructor(sink: FormSink) {
    this.#sink = sink;
  }

  find(line: string, depth: number): void {
    if (this.#sink.isFull || this.#seen.has(line)) return;
    if (depth === 0) {
      this.isClear = false;
      return;
    }
    this.#seen.add(line);
    for (const each of commandsIn(line)) {
      const command = oneSpaced(each);
      const bare = command.replace(BEFORE, "");
      for (const form of [command, bare, bare.replace(DIRECTORY, "")])
        this.#sink.add(form);
    }
    const { commands, scripts, isClear } = readShell(line);
    this.isClear &&= isClear;
    for (const words of commands) this.#findIn(words, line, depth);
    for (const script of scripts) this.find(script, depth - 1);
  }

  /** In the words of one command. */
  #findIn(words: readonly ShellWord[], line: string, depth: number): void {
    const start = words.findIndex(
      ({ text }) => !ASSIGNMENT.test(text) && !SHELL_WORDS.has(text),
    );
    const program = words[start];
    if (program === undefined || this.#sink.isFull) return;
    if (depth === 0 || !program.isKnown) this.isClear = false;
    if (depth === 0) return;
    const given = words.slice(start + 1);
    const name = program.text.replace(/^.*\//s, "");
    const rest = given.map(({ text }) => ` ${text}`).join("");
    for (const form of [program.text + rest, name + rest])
      this.#sink.add(oneSpaced(form));
    this.#findRun(name, given, line, depth - 1);
  }

  /** What the program runs, where it is one that runs others. */
  #findRun(
    name: string,
    given: readonly ShellWord[],
    line: string,
    depth: number,
  ): void {
    const script = (text: string, words: readonly ShellWord[]): void => {
      if (words.some(({ isKnown }) => !isKnown)) this.isClear = false;
      this.find(text, depth);
    };
    const own = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
    if (name === "eval") script(textOf(given), given);
    else if (name === "trap" || name === "alias")
      for (const word of given)
        script(word.text.replace(ASSIGNMENT, ""), [word]);
    else if (name === "parallel") this.isClear = false;
    else if (SHELLS.test(name)) this.#findScript(given, line, depth);
    else if (own !== undefined)
      for (const at of this.#operands(given, own)) {
        const word = given[at];
        if (word !== undefined && /\s/.test(word.text))
          script(word.text, [word]);
        this.#findIn(given.slice(at), line, depth);
      }
    else if (name === "find")
      for (const [at, { text }] of given.entries())
        if (RUNS_REST.has(text)) this.#findIn(given.slice(at + 1), line, depth);
  }

  /** An agent may tell the words of a command without quotes: all that follows `-c` may be the script. */
  #findScript(given: readonly ShellWord[], line: string, depth: number): void {
    const flag = given.findIndex(({ text }) => RUNS_SCRIPT.test(text));
    const words = given.slice(flag + 1);
    const starts = this.#operands(words, 0);
    // Without an operand it reads its commands from elsewhere.
    if (starts.length === 0) this.isClear = false;
    for (const at of starts) {
      const word = words[at];
      const last = words.at(-1);
      if (word === undefined || last === undefined) continue;
      if (!word.isKnown) this.isClear = false;
      if (flag === -1) continue;
      this.find(word.text, depth);
      if (last !== word) this.find(line.slice(word.from, last.to), depth);
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
      if (ASSIGNMENT.test(text)) continue;
      found.push(at);
      if (!isAfterOption && left-- === 0) break;
      isAfterOption = false;
    }
    return found;
  }
}

const textOf = (words: readonly ShellWord[]): string =>
  words.map(({ text }) => text).join(" ");
