/**
 * One shell over the connection of a client: what it shows comes in order and without gaps, over as many connections as it
 * takes.
 *
 *   waiting ──connected──► asked ──answer──► attached ──lost, detached──► waiting
 *                            └ refused for good: failed        ended ──► over
 *
 * After a break it goes on from its own offset. Where the server does not keep that any more, or the listener wants it, a
 * snapshot comes instead. What programs ask the terminal is not handed on: agentctl has answered it (SHL-18).
 */
import {
  decodeShellFrame,
  type ShellFrame,
} from "../../contract/api/shell/shell-frame.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { ShellEnd } from "../../contract/session/shell.ts";
import { backoff } from "../../kit/time/backoff.ts";
import { isFinal } from "../retry.ts";
import type { Connection } from "./connection.ts";
import { ShellOutput } from "./shell-output.ts";

/** What it needs of a connection. */
export type ShellLink = Pick<
  Connection,
  "state" | "subscribe" | "request" | "onBinary"
>;

export interface ShellName {
  session_id: string;
  shell_id: string;
}

export interface ShellOptions {
  /** `snapshot`: for who has written something else on the screen meanwhile. */
  afterBreak?: "go_on" | "snapshot";
}

export interface ShellListener {
  /** The screen as it is, for a terminal of this size that was cleared. */
  snapshot(screen: { bytes: Uint8Array; cols: number; rows: number }): void;
  output(bytes: Uint8Array): void;
  resized?(size: { cols: number; rows: number }): void;
  /** It is over: nothing more comes. */
  ended(end: ShellEnd): void;
  /** It is over: the shell, or the way to it, is gone for good. */
  failed(error: unknown): void;
  /** Whether what is typed reaches the shell now. */
  attached?(isAttached: boolean): void;
}

export interface ShellConnection {
  readonly isAttached: boolean;
  /** Whether a program shows its own screen, as editors do. */
  readonly isFullScreen: boolean;
  /** Rejects when it is not known to have been taken. It is not sent again: it may have been typed already. */
  type(data: string | Uint8Array): Promise<void>;
  resize(size: { cols: number; rows: number }): Promise<void>;
  /** Stops looking; the shell goes on. */
  detach(): void;
}

export const openShellConnection = (
  connection: ShellLink,
  shell: ShellName,
  listener: ShellListener,
  options: ShellOptions = {},
): ShellConnection => new LiveShell(connection, shell, listener, options);

type Status = "waiting" | "asked" | "attached" | "over";

class LiveShell implements ShellConnection {
  readonly #connection: ShellLink;
  readonly #shell: ShellName;
  readonly #listener: ShellListener;
  readonly #options: ShellOptions;
  readonly #output = new ShellOutput();
  readonly #stop: (() => void)[];
  #status: Status = "waiting";
  /** How much of its output is here; null: none. */
  #offset: number | null = null;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    connection: ShellLink,
    shell: ShellName,
    listener: ShellListener,
    options: ShellOptions,
  ) {
    this.#connection = connection;
    this.#shell = shell;
    this.#listener = listener;
    this.#options = options;
    this.#stop = [
      connection.subscribe(() => this.#connectionChanged()),
      connection.onBinary((bytes) => this.#take(bytes)),
    ];
    this.#connectionChanged();
  }

  get isAttached(): boolean {
    return this.#status === "attached";
  }

  get isFullScreen(): boolean {
    return this.#output.isFullScreen;
  }

  async type(data: string | Uint8Array): Promise<void> {
    const isText = typeof data === "string" && !data.includes("\0");
    const bytes = typeof data === "string" ? encoder.encode(data) : data;
    for (let at = 0; at < bytes.length; at += MAX_PIECE) {
      const piece = bytes.subarray(at, at + MAX_PIECE);
      const isWhole = isText && bytes.length <= MAX_PIECE;
      await this.#ask(
        "session.shell.input",
        isWhole ? { data } : { data: base64Of(piece), encoding: "base64" },
      );
    }
  }

  async resize({ cols, rows }: { cols: number; rows: number }): Promise<void> {
    await this.#ask("session.shell.resize", { cols, rows });
  }

  detach(): void {
    if (this.#status === "over") return;
    const wasThere = this.#status !== "waiting";
    this.#finish();
    if (wasThere)
      void this.#ask("session.shell.detach", {}).catch(() => undefined);
  }

  #ask(method: string, params: object): Promise<unknown> {
    return this.#connection.request(method, { ...this.#shell, ...params });
  }

  #connectionChanged(): void {
    const { state } = this.#connection;
    if (this.#status === "over") return;
    switch (state.kind) {
      case "connected":
      case "back":
        return this.#attach();
      case "refused":
        return this.#fail(state.error);
      case "away":
        return this.#rest();
      case "opening":
        return;
      case "closed":
        return this.#finish();
    }
  }

  #attach(): void {
    if (this.#status !== "waiting") return;
    clearTimeout(this.#retry);
    this.#status = "asked";
    const after = this.#offset;
    this.#ask("session.shell.attach", { after }).then(
      () => {
        if (this.#status === "asked") this.#become("attached");
      },
      (error: unknown) => {
        if (this.#status !== "asked") return;
        if (isFinal(error)) return this.#fail(error);
        this.#rest();
        this.#tryLater();
      },
    );
  }

  #take(message: Uint8Array): void {
    const frame = decodeShellFrame(message);
    if (frame === null || frame.shell_id !== this.#shell.shell_id) return;
    // Frames follow the answer, in whatever turn that is handed over.
    if (this.#status === "asked") this.#become("attached");
    if (this.#status === "attached") this.#show(frame);
  }

  #show(frame: ShellFrame): void {
    this.#attempt = 0;
    switch (frame.kind) {
      case "snapshot":
        return this.#showSnapshot(frame);
      case "output":
        return this.#showOutput(frame.offset, frame.bytes);
      case "resized":
        return this.#listener.resized?.(frame);
      case "ended":
        this.#finish();
        return this.#listener.ended(frame.end);
      case "detached": {
        this.#rest();
        const { code, message } = frame.why;
        if (code === "shell_not_found" || code === "session_not_found")
          return this.#fail(new RepriseError(code, message));
        return this.#tryLater();
      }
    }
  }

  #showSnapshot(frame: Extract<ShellFrame, { kind: "snapshot" }>): void {
    const { offset, cols, rows } = frame;
    this.#offset = offset;
    this.#output.restart();
    const bytes = this.#output.take(frame.bytes);
    this.#listener.snapshot({ bytes, cols, rows });
  }

  #showOutput(offset: number, bytes: Uint8Array): void {
    const known = this.#offset ?? offset;
    // What is known is not shown again.
    const fresh = bytes.subarray(Math.max(0, known - offset));
    if (offset > known) {
      // Something is missing: the server shows it again from where we are.
      this.#rest();
      return this.#tryLater();
    }
    this.#offset = known + fresh.length;
    const shown = this.#output.take(fresh);
    if (shown.length > 0) this.#listener.output(shown);
  }

  #tryLater(): void {
    clearTimeout(this.#retry);
    const ms = backoff(this.#attempt++, 100, 5_000, Math.random());
    this.#retry = setTimeout(() => this.#connectionChanged(), ms);
  }

  #rest(): void {
    clearTimeout(this.#retry);
    if (this.#status === "over") return;
    if (this.#options.afterBreak === "snapshot") this.#offset = null;
    this.#become("waiting");
  }

  #fail(error: unknown): void {
    if (this.#status === "over") return;
    this.#finish();
    this.#listener.failed(error);
  }

  #finish(): void {
    clearTimeout(this.#retry);
    this.#become("over");
    for (const stop of this.#stop) stop();
  }

  #become(status: Status): void {
    const was = this.isAttached;
    this.#status = status;
    if (was !== this.isAttached) this.#listener.attached?.(this.isAttached);
  }
}

/** Base 64 and JSON make it longer. */
const MAX_PIECE = 32 * 1024;
const encoder = new TextEncoder();

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
