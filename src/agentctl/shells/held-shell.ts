/**
 * One shell, from its start to its end, across agentctls.
 *
 *     FIFO stdout ─► scrollback (on the disk) ─► screen (in its thread)
 *                         └─► whoever is attached, each at its own offset
 *     whoever is attached ─► FIFO stdin
 *
 * Bytes are in the scrollback before anybody is told of them. An agentctl that is killed can lose those that it had just
 * taken out of the FIFO and not written, and no others.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type {
  Shell,
  ShellEnd,
  ShellEnding,
} from "../../contract/session/shell.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { readIfThere, writeDurably } from "../../kit/files/durable-file.ts";
import {
  endMarked,
  kill,
  markedProcesses,
} from "../../kit/processes/marked-processes.ts";
import { Lane } from "../../kit/time/lanes.ts";
import { LiveScreen } from "./live-screen.ts";
import { OutputQueue } from "./output-queue.ts";
import { shellMark } from "./launch-shell.ts";
import type { Screens } from "./screen/screens.ts";
import type { Size, Snapshot } from "./screen/screen-messages.ts";
import type { Scrollback } from "./scrollback.ts";
import type { EndRecord, ShellFiles, ShellRecord } from "./shell-files.ts";
import { TerminalPipes } from "./terminal-pipes.ts";

/** How long a shell may take to end when its terminal hangs up. */
const HANGUP_MS = 1000;
const END_MS = 10_000;
const run = promisify(execFile);

export interface HeldShellParts {
  record: ShellRecord;
  files: ShellFiles;
  scrollback: Scrollback;
  screens: Screens;
  log(words: string, error: unknown): void;
}

export class HeldShell {
  readonly record: ShellRecord;
  readonly scrollback: Scrollback;
  readonly #parts: HeldShellParts;
  readonly #output: OutputQueue;
  readonly #resizes = new Lane();
  readonly #over = Promise.withResolvers<void>();
  #pipes: TerminalPipes | null = null;
  #screen: LiveScreen | null = null;
  #title: string | null = null;
  #ending: ShellEnding | null = null;
  #ended: EndRecord | null = null;
  #isConcluding = false;
  #isLeft = false;
  #isRolling = false;
  #changed = Promise.withResolvers<void>();

  constructor(parts: HeldShellParts, ended: EndRecord | null = null) {
    this.#parts = parts;
    this.record = parts.record;
    this.scrollback = parts.scrollback;
    this.#output = new OutputQueue({
      scrollback: parts.scrollback,
      onRefused: (error) =>
        this.#log("cannot write what a shell shows; it waits", error),
      onTaken: () => {
        this.#show();
        this.#goOn();
      },
    });
    this.#ended = ended;
    if (ended !== null) this.#over.resolve();
  }

  /** Reads what it shows from now on. `gone` resolves when the shell has ended. */
  hold(gone: Promise<void>): void {
    const { scrollback, screens, record } = this.#parts;
    this.#pipes = new TerminalPipes(this.#parts.files, (bytes) =>
      this.#take(bytes),
    );
    this.#screen = new LiveScreen({
      shell: record.id,
      screens,
      scrollback,
      onNote: (note) => {
        if (note.kind === "title") this.#title = note.title;
        else void this.#pipes?.type(note.text);
      },
      onCaughtUp: () => this.#goOn(),
      onFailure: (error) => this.#log("the screen broke", error),
    });
    gone
      .then(() => this.#conclude())
      .catch((error: unknown) => this.#log("cannot conclude", error));
  }

  get mark(): string {
    return shellMark(this.record.id);
  }

  get end(): ShellEnd | null {
    return this.#ended?.end ?? null;
  }

  /** Whether it runs, as far as we know: one that is just being concluded does not. */
  get isRunning(): boolean {
    return this.#ended === null && !this.#isConcluding;
  }

  get view(): Shell {
    const {
      owner: _owner,
      wrapper: _wrapper,
      sandbox: _sandbox,
      ...record
    } = this.record;
    const { cols, rows } = this.scrollback.size;
    return {
      ...record,
      cols,
      rows,
      title: this.#ended?.title ?? this.#title,
      state: this.#ended === null ? "open" : "ended",
      ended_at: this.#ended?.ended_at ?? null,
      end: this.end,
    };
  }

  /** Resolves when there is more to see. */
  changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Resolves when the terminal has taken it. */
  async type(bytes: Uint8Array): Promise<void> {
    await this.#pipes?.type(bytes);
  }

  /** What is to be seen now; of one that has ended, what was seen last. */
  async snapshot(): Promise<Snapshot> {
    return this.#screen === null
      ? this.scrollback.snapshot()
      : this.#screen.snapshot();
  }

  resize(size: Size): Promise<void> {
    return this.#resizes.run(() => this.#resize(size));
  }

  /** Ends it, with all it started. Resolves when they are gone. */
  async close(reason: ShellEnding): Promise<void> {
    if (this.#ended === null) {
      this.#ending ??= reason;
      await this.#hangUp();
      await Promise.race([
        this.#over.promise,
        pause(HANGUP_MS, undefined, { ref: false }),
      ]);
    }
    if (!(await endMarked(this.mark, END_MS)))
      throw new LinkError(
        "internal",
        `processes of ${this.record.id} cannot be ended`,
      );
    await this.#over.promise;
  }

  /** Lets go of it; it goes on. */
  leave(): void {
    this.#isLeft = true;
    this.#pipes?.close();
    this.#pipes = null;
    this.#screen?.leave();
    this.#output.close();
    this.scrollback.close();
    this.#wake();
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  #take(bytes: Buffer): void {
    if (this.#isLeft) return;
    this.#output.add(bytes);
    this.#show();
    if (this.#mustWait) this.#pipes?.pause();
    if (this.scrollback.isFull) this.#roll();
  }

  #show(): void {
    this.#screen?.show();
    this.#wake();
  }

  /** The disk or the screen is behind. */
  get #mustWait(): boolean {
    return this.#output.isWaiting || this.#screen?.isBehind === true;
  }

  #goOn(): void {
    if (!this.#mustWait) this.#pipes?.resume();
  }

  #roll(): void {
    if (this.#isRolling || this.#screen === null) return;
    this.#isRolling = true;
    this.#screen
      .snapshot()
      .then((snapshot) => {
        if (!this.#isLeft) this.scrollback.roll(snapshot);
      })
      .catch((error: unknown) => this.#log("cannot begin a segment", error))
      .finally(() => (this.#isRolling = false));
  }

  async #resize({ cols, rows }: Size): Promise<void> {
    const { size } = this.scrollback;
    if (this.#ended !== null)
      throw new LinkError("shell_ended", `${this.record.id} has ended`);
    if (size.cols === cols && size.rows === rows) return;
    const tty = await this.#tty();
    // First here: what programs draw for the new size comes behind it.
    this.scrollback.resized({ cols, rows });
    this.#screen?.resized();
    this.#wake();
    if (tty === null) return;
    const args = ["-F", tty, "rows", String(rows), "cols", String(cols)];
    await run("stty", args, { timeout: 5000, cwd: "/" }).catch(
      (error: unknown) => this.#log("cannot resize", error),
    );
  }

  /** Null when it ended before it had one. */
  async #tty(): Promise<string | null> {
    while (this.#ended === null) {
      const name = (await readFile(this.#parts.files.tty, "utf8")).trim();
      if (name.startsWith("/dev/")) return name;
      await pause(10);
    }
    return null;
  }

  /** As a terminal does whose window is closed. */
  async #hangUp(): Promise<void> {
    const text = await readIfThere(this.#parts.files.pid);
    const pid = Number.parseInt(text ?? "", 10);
    if ((await markedProcesses(this.mark)).includes(pid)) kill(pid, "SIGHUP");
  }

  async #conclude(): Promise<void> {
    if (this.#isLeft) return;
    this.#isConcluding = true;
    this.#pipes?.finish();
    this.#pipes = null;
    this.#finishOutput();
    const code = Number.parseInt(
      (await readIfThere(this.#parts.files.exit)) ?? "",
      10,
    );
    const exit_code = Number.isNaN(code) ? null : code;
    // Its wrapper was killed: nobody can reach the rest any more.
    if (exit_code === null) await endMarked(this.mark, END_MS);
    await this.#keepLastScreen();
    // The next agentctl does the rest.
    if (this.#isLeft) return;
    const reason = this.#ending ?? (exit_code === null ? "lost" : "exited");
    const ended: EndRecord = {
      ended_at: new Date().toISOString(),
      end: { reason, exit_code },
      title: this.#title,
    };
    await writeDurably(this.#parts.files.end, JSON.stringify(ended)).catch(
      (error: unknown) => this.#log("cannot write its end down", error),
    );
    this.#ended = ended;
    this.#over.resolve();
    this.#wake();
  }

  #finishOutput(): void {
    const lost = this.#output.close();
    this.#show();
    if (lost > 0)
      this.#log(
        "what a shell showed last is lost",
        new Error(`the disk did not take ${lost} bytes`),
      );
  }

  async #keepLastScreen(): Promise<void> {
    const screen = this.#screen;
    try {
      if (screen !== null) this.scrollback.roll(await screen.snapshot(true));
    } catch (error) {
      if (this.#isLeft) return;
      this.#log("cannot keep the last screen", error);
    }
    this.#screen = null;
    await screen?.close();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  #log(words: string, error: unknown): void {
    this.#parts.log(words, error);
  }
}
