/** A terminal of xterm.js that shows one shell. The shell has one size for all who look (SHL-4): the terminal follows it. */
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import {
  openShellConnection,
  type ShellConnection,
  type ShellLink,
  type ShellName,
} from "../../../src/client/live/shell-connection.ts";
import { type ShellEnd } from "../../../src/contract/session/shell.ts";
import { MAX_SHELL_SIDE } from "../../../src/contract/session/shell-size.ts";
import { boundCounts } from "../../../src/kit/data/bound-counts.ts";
import { copyText } from "../kit/copy-text.ts";
import { withPreparedStyles } from "./prepared-styles.ts";
import { keyAction } from "./terminal-keys.ts";
import { programLinks, shownLinks } from "./terminal-links.ts";
import { themeOf, watchTheme } from "./terminal-theme.ts";

export interface ScreenEvents {
  titled(title: string): void;
  ended(end: ShellEnd): void;
  /** The shell, or the way to it, is gone for good. */
  failed(error: unknown): void;
  /** Whether what is typed arrives. */
  attached(isAttached: boolean): void;
  /** What was typed last is not known to have arrived. */
  notTyped(): void;
  searchWanted(): void;
  leaveWanted(): void;
}

export interface Size {
  cols: number;
  rows: number;
}

/** A window that is being drawn larger or smaller has many sizes: the shell is told the last one. */
const RESIZE_MS = 80;
/** Starts anew: everything that a program may have set is as in a terminal that was just opened. */
const RESET = "\x1bc";
/** What xterm.js says by itself when a program wants to know about the focus. */
const FOCUS_REPORTS: readonly string[] = ["\x1b[I", "\x1b[O"];

export class TerminalScreen {
  readonly #host: HTMLElement;
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon();
  readonly #shell: ShellConnection;
  readonly #stop: (() => void)[];
  #isDrawing = false;
  #isOver = false;
  #resizing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    host: HTMLElement,
    name: ShellName,
    live: ShellLink,
    events: ScreenEvents,
  ) {
    this.#host = host;
    this.#terminal = openTerminal(host);
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.loadAddon(this.#search);
    this.#shell = openShellConnection(live, name, {
      snapshot: (screen) => this.#draw(screen),
      output: (bytes) => this.#terminal.write(bytes),
      resized: (size) => this.#become(size),
      ended: (end) => {
        this.#isOver = true;
        this.readOnly = true;
        events.ended(end);
      },
      failed: (error) => {
        this.#isOver = true;
        events.failed(error);
      },
      attached: (isAttached) => events.attached(isAttached),
    });
    this.#listen(events);
    const seen = new ResizeObserver(() => this.#sizeSoon());
    seen.observe(host);
    const focused = (): void => this.#sizeSoon();
    host.addEventListener("focusin", focused);
    this.#stop = [
      () => seen.disconnect(),
      () => host.removeEventListener("focusin", focused),
      watchTheme(() => {
        this.#terminal.options.theme = themeOf(host);
      }),
    ];
  }

  /** What its host has room for; null where it is not in sight. */
  get room(): Size | null {
    if (this.#host.clientHeight === 0) return null;
    return this.#fit.proposeDimensions() ?? null;
  }

  set readOnly(isReadOnly: boolean) {
    this.#terminal.options.disableStdin = isReadOnly || this.#isOver;
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** As if it had been typed. */
  press(keys: string): void {
    this.#terminal.input(keys);
  }

  /** As programs want them just now. */
  pressArrow(letter: "A" | "B" | "C" | "D"): void {
    const isApplication = this.#terminal.modes.applicationCursorKeysMode;
    this.press(`\x1b${isApplication ? "O" : "["}${letter}`);
  }

  /** Whether it was found. */
  find(text: string, direction: "next" | "previous" | "first"): boolean {
    if (text === "") {
      this.#terminal.clearSelection();
      return false;
    }
    return direction === "previous"
      ? this.#search.findPrevious(text)
      : this.#search.findNext(text, { incremental: direction === "first" });
  }

  close(): void {
    clearTimeout(this.#resizing);
    for (const stop of this.#stop) stop();
    this.#isOver = true;
    this.#shell.detach();
    this.#terminal.dispose();
  }

  #listen(events: ScreenEvents): void {
    const type = (data: string | Uint8Array): void => {
      this.#shell.type(data).catch(() => events.notTyped());
    };
    this.#terminal.onData((text) => {
      // A screen that is drawn again has nothing to say to the program.
      if (this.#isDrawing && FOCUS_REPORTS.includes(text)) return;
      type(text);
    });
    this.#terminal.onBinary((text) =>
      type(Uint8Array.from(text, (character) => character.charCodeAt(0))),
    );
    this.#terminal.onTitleChange((title) => events.titled(title));
    this.#terminal.attachCustomKeyEventHandler((event) => {
      const action = keyAction(event);
      if (action === "shell") return true;
      if (action === "browser") return false;
      event.preventDefault();
      if (action === "copy") void this.#copy();
      if (action === "search") events.searchWanted();
      if (action === "leave") events.leaveWanted();
      return false;
    });
  }

  #draw({ bytes, ...size }: Size & { bytes: Uint8Array }): void {
    this.#isDrawing = true;
    this.#terminal.write(RESET);
    this.#become(size);
    this.#terminal.write(bytes, () => {
      this.#isDrawing = false;
      this.#sizeNow();
    });
  }

  /** When everything before it has been drawn: what comes behind it is drawn for this size. */
  #become({ cols, rows }: Size): void {
    this.#terminal.write("", () => this.#terminal.resize(cols, rows));
  }

  #sizeSoon(): void {
    clearTimeout(this.#resizing);
    this.#resizing = setTimeout(() => this.#sizeNow(), RESIZE_MS);
  }

  #sizeNow(): void {
    const { room } = this;
    if (room === null || this.#isOver || !this.#shell.isAttached) return;
    const { cols, rows } = this.#terminal;
    if (cols === room.cols && rows === room.rows) return;
    // Whoever is attached is told of the new size, and so are we.
    this.#shell.resize(room).catch(() => undefined);
  }

  async #copy(): Promise<void> {
    const text = this.#terminal.getSelection();
    if (text !== "") await copyText(text);
  }
}

const openTerminal = (host: HTMLElement): Terminal => {
  const tell = (href: string): void => {
    host.title = href;
  };
  const terminal = new Terminal({
    fontFamily: getComputedStyle(host).fontFamily,
    fontSize: 12.5,
    lineHeight: 1.3,
    scrollback: 1000,
    theme: themeOf(host),
    // Whatever colours a program mixes, its text can be read.
    minimumContrastRatio: 4.5,
    linkHandler: programLinks(tell),
    cursorInactiveStyle: "outline",
    logLevel: "off",
  });
  boundCounts(terminal, MAX_SHELL_SIDE);
  withPreparedStyles(host.ownerDocument, () => terminal.open(host));
  terminal.registerLinkProvider(shownLinks(terminal, tell));
  return terminal;
};
