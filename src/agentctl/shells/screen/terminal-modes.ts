import type { Terminal } from "@xterm/headless";

/** Private modes that the serializer leaves out, and whether a terminal begins with them. */
const MODES: ReadonlyMap<number, boolean> = new Map([
  // The cursor is shown.
  [25, true],
  // How places of the mouse are told.
  [1005, false],
  [1006, false],
  [1015, false],
  [1016, false],
]);

/** They change to another screen, which scrolls as a whole. */
const OTHER_SCREEN: readonly number[] = [47, 1047, 1049];

type Params = (number | number[])[];

/** What a terminal is set to besides what is on its screen, as far as the serializer does not tell it. */
export class TerminalModes {
  title: string | null = null;
  readonly #terminal: Terminal;
  readonly #modes = new Map(MODES);
  #region: { top: number; bottom: number } | null = null;
  #hasLines = false;
  #cursorStyle = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    const { parser } = terminal;
    const onCsi = (
      id: { final: string; prefix?: string; intermediates?: string },
      take: (params: Params) => void,
    ): void => {
      parser.registerCsiHandler(id, (params) => {
        take(params);
        // The terminal does its own with it.
        return false;
      });
    };
    const onEsc = (
      id: { final: string; intermediates?: string },
      take: () => void,
    ): void => {
      parser.registerEscHandler(id, () => {
        take();
        return false;
      });
    };
    onCsi({ prefix: "?", final: "h" }, (params) => this.#set(params, true));
    onCsi({ prefix: "?", final: "l" }, (params) => this.#set(params, false));
    onCsi({ final: "r" }, ([top, bottom]) => this.#setRegion(top, bottom));
    onCsi({ intermediates: " ", final: "q" }, ([style]) => {
      this.#cursorStyle = numberOf(style);
    });
    onCsi({ intermediates: "!", final: "p" }, () => this.#reset());
    onEsc({ final: "c" }, () => this.#reset());
    onEsc({ intermediates: "(", final: "0" }, () => (this.#hasLines = true));
    for (const final of ["B", "A"])
      onEsc({ intermediates: "(", final }, () => (this.#hasLines = false));
  }

  /** A terminal of another size scrolls as a whole again. */
  resized(): void {
    this.#region = null;
  }

  /** Behind what the serializer says. */
  serialize(): string {
    let text = "";
    if (this.#region !== null)
      text += `\x1b[${this.#region.top};${this.#region.bottom}r`;
    text += this.#cursor();
    for (const [mode, isOn] of this.#modes)
      if (isOn !== MODES.get(mode)) text += `\x1b[?${mode}${isOn ? "h" : "l"}`;
    if (this.#cursorStyle !== 0) text += `\x1b[${this.#cursorStyle} q`;
    if (this.#hasLines) text += "\x1b(0";
    if (this.title !== null) text += `\x1b]2;${this.title}\x07`;
    return text;
  }

  /** The serializer moves it step by step, and miscounts where characters are wide; setting a region moves it too. */
  #cursor(): string {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    // Behind the last column it waits for the next character, and no sequence puts it there.
    if (cursorX >= this.#terminal.cols && this.#region === null) return "";
    const top = this.#terminal.modes.originMode ? (this.#region?.top ?? 1) : 1;
    return `\x1b[${cursorY + 2 - top};${cursorX + 1}H`;
  }

  #set(params: Params, isOn: boolean): void {
    for (const mode of params.map(numberOf)) {
      if (this.#modes.has(mode)) this.#modes.set(mode, isOn);
      if (OTHER_SCREEN.includes(mode)) this.#region = null;
    }
  }

  #setRegion(from: Params[number] = 0, to: Params[number] = 0): void {
    const { rows } = this.#terminal;
    const top = numberOf(from) || 1;
    const bottom = Math.min(numberOf(to) || rows, rows);
    if (bottom <= top) return;
    this.#region = top === 1 && bottom === rows ? null : { top, bottom };
  }

  #reset(): void {
    for (const [mode, isOn] of MODES) this.#modes.set(mode, isOn);
    this.#region = null;
    this.#hasLines = false;
    this.#cursorStyle = 0;
  }
}

const numberOf = (param: Params[number] = 0): number =>
  typeof param === "number" ? param : 0;
