/**
 * Reads a line as a shell would: its commands, each as the words that its program gets. Commands in `$(…)`, `<(…)` and
 * parentheses are among them. It expands nothing: what a variable or a pattern stands for is not known. What it does not
 * understand makes the line unclear.
 */
export interface ShellLine {
  commands: readonly ShellWord[][];
  /** What stands between backticks, as the shell runs it. */
  scripts: readonly string[];
  isClear: boolean;
}

export interface ShellWord {
  /** Without quotes. Expansions stand there as they are written. */
  text: string;
  /** Nothing in it is expanded. */
  isKnown: boolean;
  /** Where it stands in the line. */
  from: number;
  to: number;
}

export const readShell = (line: string): ShellLine => new Reader(line).read();

/** More levels of parentheses are not followed. */
const MAX_LEVELS = 40;
/** For a shell nothing else is blank: a form feed or a no-break space is a part of its word. */
const BLANKS = /(?:[ \t]|\\\n)+/y;
const ENDS_WORD = /[ \t\n;&|()<>]/;
/** An operator or an expansion with a line continuation in it. */
const DIVIDED = /[<>&(](?:\\\n)+[<>&(|-]|\$\\\n/;
/** A program that is named by one of these, unquoted, is known when the shell has expanded it. */
const EXPANDED = /[*?[{]/;
const RESERVED = new Set(["[", "[[", "{"]);
const REDIRECTION = /<<<|<<-?|<>|<&|&>>?|>>|>&|>\||[<>]/y;
/** What belongs to the redirection behind it: `2>`, `{fd}>`. */
const DESCRIPTOR = /^(?:\d+|\{\w+\})$/;
const ARITHMETIC = /\$\(\([\w\s$+*/%<>=!&|^~?:,-]*\)\)/y;
const VARIABLE = /\$(?:\w+|[@*#?$!-])/y;
const ANSI_C = /\$'(?:[^'\\]|\\[^])*'/y;
const BACKTICKS = /`((?:[^`\\]|\\[^])*)`/y;

/** In a here-document: what runs a command, or joins two lines. */
const CONTINUED = /`|\$[({[]|\\$/;

interface HereDocument {
  end: string;
  isIndented: boolean;
  isQuoted: boolean;
}

class Reader {
  readonly #line: string;
  readonly #commands: ShellWord[][] = [];
  readonly #scripts: string[] = [];
  #documents: HereDocument[] = [];
  #isClear = true;
  #at = 0;

  constructor(line: string) {
    this.#line = line;
  }

  read(): ShellLine {
    this.#readCommands(0);
    if (this.#documents.length > 0) this.#isClear = false;
    if (DIVIDED.test(this.#line)) this.#isClear = false;
    return {
      commands: this.#commands,
      scripts: this.#scripts,
      isClear: this.#isClear,
    };
  }

  /** Up to the parenthesis that closes them, or to the end. */
  #readCommands(level: number): void {
    let words: ShellWord[] = [];
    // `ls &>f rm x` is one command for some shells, and `rm x` is a second one for others.
    let seconds: number[] = [];
    const end = (): void => {
      // The parenthesis behind a pattern of `case` does not close those that are open.
      if (level > 0 && words.some(({ text }) => text === "case"))
        this.#isClear = false;
      for (const start of [0, ...seconds])
        if (words.length > start) this.#commands.push(words.slice(start));
      words = [];
      seconds = [];
    };
    if (level > MAX_LEVELS) this.#giveUp();
    for (let char = this.#char(); char !== ""; char = this.#char()) {
      if (this.#take(BLANKS)) continue;
      if (char === "#") this.#skipTo("\n");
      else if (char === "<" || char === ">") this.#redirect(words, level);
      else if (this.#line.startsWith("&>", this.#at)) {
        if (words.length > 0) seconds.push(words.length);
        this.#redirect(words, level);
      } else if (!ENDS_WORD.test(char)) words.push(this.#word(level));
      else {
        end();
        this.#at += 1;
        if (char === "\n") this.#skipDocuments();
        if (char === "(") this.#readCommands(level + 1);
        if (char !== ")" || level === 0) continue;
        // Shells differ in where a document is whose command ends before its line does.
        if (this.#documents.length > 0) this.#isClear = false;
        return;
      }
    }
    end();
    if (level > 0) this.#isClear = false;
  }

  #redirect(words: ShellWord[], level: number): void {
    const last = words.at(-1);
    if (last?.to === this.#at && DESCRIPTOR.test(last.text)) words.pop();
    const from = this.#at;
    const operator = this.#take(REDIRECTION)?.[0] ?? "";
    if (this.#char() === "(") {
      this.#at += 1;
      this.#readCommands(level + 1);
      words.push(this.#wordFrom(from));
      return;
    }
    this.#take(BLANKS);
    const target = this.#word(level);
    // zsh has operators of its own: `>!`, `>>|`.
    if (target.text === "" || target.text === "!") this.#isClear = false;
    if (!/^<<-?$/.test(operator)) return;
    // It may be a shift in an arithmetic command, and what follows no document.
    if (this.#line.includes("((") || !target.isKnown) this.#isClear = false;
    this.#documents.push({
      end: target.text,
      isIndented: operator === "<<-",
      isQuoted: target.to - target.from > target.text.length,
    });
  }

  #skipDocuments(): void {
    for (const { end, isIndented, isQuoted } of this.#documents) {
      for (;;) {
        if (this.#char() === "") return this.#giveUp();
        const from = this.#at;
        this.#skipTo("\n");
        const text = this.#line.slice(from, this.#at);
        this.#at += 1;
        const line = isIndented ? text.replace(/^\t+/, "") : text;
        if (line === end) break;
        // `EOF)` ends a document for some shells, and a line that ends with a backslash takes the next one along.
        if (line.startsWith(end) || (!isQuoted && CONTINUED.test(line)))
          this.#isClear = false;
      }
    }
    this.#documents = [];
  }

  #word(level: number): ShellWord {
    const from = this.#at;
    let text = "";
    let isKnown = true;
    let isExpanded = false;
    for (
      let char = this.#char();
      char !== "" && !ENDS_WORD.test(char);
      char = this.#char()
    ) {
      if (char === "\\") text += this.#escaped(/[^\n]/);
      else if (char === "'") text += this.#singleQuoted();
      else if (char === '"' || this.#line.startsWith('$"', this.#at)) {
        const quoted = this.#doubleQuoted(level);
        text += quoted.text;
        isKnown &&= quoted.isKnown;
      } else if (char === "$" || char === "`") {
        const start = this.#at;
        isKnown = !this.#expansion(level, false) && isKnown;
        text += this.#line.slice(start, this.#at);
      } else {
        isExpanded ||= EXPANDED.test(char);
        text += char;
        this.#at += 1;
      }
    }
    if (isExpanded && !RESERVED.has(text)) isKnown = false;
    return { text, isKnown, from, to: this.#at };
  }

  #wordFrom(from: number): ShellWord {
    const text = this.#line.slice(from, this.#at);
    return { text, isKnown: false, from, to: this.#at };
  }

  /** A backslash keeps its meaning before other characters, and goes with a newline. */
  #escaped(special: RegExp): string {
    const next = this.#line[this.#at + 1] ?? "";
    if (next === "") this.#isClear = false;
    this.#at += 2;
    if (next === "\n") return "";
    return special.test(next) ? next : `\\${next}`;
  }

  #singleQuoted(): string {
    const from = this.#at + 1;
    this.#at = from;
    this.#skipTo("'");
    if (this.#char() === "") this.#isClear = false;
    return this.#line.slice(from, this.#at++);
  }

  #doubleQuoted(level: number): { text: string; isKnown: boolean } {
    this.#at = this.#line.indexOf('"', this.#at) + 1;
    let text = "";
    let isKnown = true;
    for (let char = this.#char(); char !== '"'; char = this.#char()) {
      if (char === "") {
        this.#isClear = false;
        break;
      }
      if (char === "\\") text += this.#escaped(/[$`"\\]/);
      else if (char === "$" || char === "`") {
        const start = this.#at;
        isKnown = !this.#expansion(level, true) && isKnown;
        text += this.#line.slice(start, this.#at);
      } else {
        text += char;
        this.#at += 1;
      }
    }
    this.#at += 1;
    return { text, isKnown };
  }

  /** False where a `$` stands for itself. */
  #expansion(level: number, isQuoted: boolean): boolean {
    if (this.#char() === "`") {
      const script = this.#take(BACKTICKS)?.[1];
      if (script === undefined) this.#giveUp();
      else
        this.#scripts.push(
          script.replaceAll(isQuoted ? /\\([`$\\"])/g : /\\([`$\\])/g, "$1"),
        );
      return true;
    }
    if (this.#take(ARITHMETIC) ?? this.#take(VARIABLE)) return true;
    const next = this.#line[this.#at + 1];
    // `$'\x72m'` has to be decoded, and in `$[1<<2]` nothing is what it looks like.
    if (next === "[" || (next === "'" && !isQuoted)) this.#isClear = false;
    if (!isQuoted && this.#take(ANSI_C)) return true;
    this.#at += 1;
    if (next === "{") this.#parameter(level);
    else if (next === "(") {
      this.#at += 1;
      this.#readCommands(level + 1);
    } else return next === "[" || (next === "'" && !isQuoted);
    return true;
  }

  /** `${name:-word}`. Quotes in it are read in too many ways; `${ command; }`, `${name@P}` and zsh's `${(e)name}` run some. */
  #parameter(level: number): void {
    if (level > MAX_LEVELS) return this.#giveUp();
    this.#at += 1;
    if (/[\s|(]/.test(this.#char())) this.#isClear = false;
    for (let char = this.#char(); char !== "}"; char = this.#char()) {
      if (char === "") return this.#giveUp();
      if (/["'\\]/.test(char) || this.#line.startsWith("@P", this.#at))
        this.#isClear = false;
      if (char === "$" || char === "`") this.#expansion(level + 1, true);
      else this.#at += 1;
    }
    this.#at += 1;
  }

  #char(): string {
    return this.#line[this.#at] ?? "";
  }

  #take(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.#at;
    const found = form.exec(this.#line);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #skipTo(char: string): void {
    const at = this.#line.indexOf(char, this.#at);
    this.#at = at === -1 ? this.#line.length : at;
  }

  #giveUp(): void {
    this.#isClear = false;
    this.#at = this.#line.length;
  }
}
