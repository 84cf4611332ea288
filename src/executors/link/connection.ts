import { WebSocket } from "ws";
import { LinkError } from "../../contract/link/link-error.ts";
import {
  linkMethods,
  type LinkMethod,
  type LinkParams,
  type LinkResult,
} from "../../contract/link/link.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { DeadlineExceeded, within } from "../../kit/time/deadline.ts";
import { crashPoint } from "../../kit/crash-point.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { parseFrame, type Frame } from "./frame.ts";
import type { Report } from "./report.ts";
import { onSilence } from "./silence.ts";
import { unavailable } from "./unavailable.ts";

type Deadlines = Readonly<Partial<Record<LinkMethod, number>>>;

interface Pending {
  resolve: (raw: unknown) => void;
  reject: (error: Error) => void;
}

/** Pairs calls with answers and hands reports over, in the order they come. */
export class Connection {
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #log: Log;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  #listen: ((report: Report) => void) | null = null;
  #early: Report[] = [];
  #silent = false;
  readonly #deadlines: Deadlines;

  constructor(
    socket: WebSocket,
    log: Log,
    silenceMs: number,
    deadlines: Deadlines = orderDeadlines,
  ) {
    this.#socket = socket;
    this.#deadlines = deadlines;
    this.#log = log;
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        this.#rejectPending();
        resolve();
      });
    });
    socket.on("message", (data) => this.#take(data));
    onSilence(socket, silenceMs, () => {
      this.#silent = true;
      socket.terminate();
    });
  }

  /** Whether it was given up because the peer gave no sign of life. */
  wasSilent(): boolean {
    return this.#silent;
  }

  isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  async call<M extends LinkMethod>(
    method: M,
    params: LinkParams<M>,
  ): Promise<LinkResult<M>> {
    if (!this.isOpen()) throw lost();
    const id = ++this.#calls;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send(JSON.stringify({ id, method, params }));
    });
    const ms = this.#deadlines[method];
    const raw =
      ms === undefined ? answer : this.#inTime(id, method, ms, answer);
    return parsed(method, await raw);
  }

  /** The link stays: who answers pings is not gone, and the order may yet be carried out. */
  async #inTime(
    id: number,
    method: LinkMethod,
    ms: number,
    answer: Promise<unknown>,
  ): Promise<unknown> {
    try {
      return await within(method, ms, answer);
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) throw error;
      this.#pending.delete(id);
      throw unanswered(method, ms, error);
    }
  }

  onReport(listen: (report: Report) => void): void {
    this.#listen = listen;
    const early = this.#early;
    this.#early = [];
    for (const report of early) this.#hand(report);
  }

  async close(): Promise<void> {
    this.#socket.close();
    // A frozen agentctl never answers the closing handshake.
    const impatient = setTimeout(() => this.#socket.terminate(), 1000);
    await this.closed;
    clearTimeout(impatient);
  }

  #send(frame: string): void {
    crashPoint("link.before-order");
    this.#socket.send(frame);
    crashPoint("link.after-order");
  }

  #take(data: WebSocket.RawData): void {
    let frame: Frame;
    try {
      frame = parseFrame(data);
    } catch (error) {
      // What it means is unknown, so what it would leave undone is too: start over from what is acknowledged.
      this.#log.error({ err: error }, "agentctl sent a frame we cannot read");
      this.#socket.terminate();
      return;
    }
    if (frame.kind === "report") return this.#hand(frame.report);
    const pending = this.#pending.get(frame.id);
    this.#pending.delete(frame.id);
    if (frame.kind === "answer") pending?.resolve(frame.result);
    else pending?.reject(new LinkError(frame.code, frame.message));
  }

  #hand(report: Report): void {
    if (this.#listen === null) {
      this.#early.push(report);
      return;
    }
    try {
      this.#listen(report);
    } catch (error) {
      const { execution_id, number } = report;
      this.#log.error(
        { err: error, execution_id, number },
        "a report was not taken",
      );
    }
  }

  #rejectPending(): void {
    for (const { reject } of this.#pending.values()) reject(lost());
    this.#pending.clear();
  }
}

const methods: {
  [M in LinkMethod]: { result: { parse(raw: unknown): LinkResult<M> } };
} = linkMethods;

const parsed = <M extends LinkMethod>(
  method: M,
  raw: unknown,
): LinkResult<M> => {
  try {
    return methods[method].result.parse(raw);
  } catch (cause) {
    throw new RepriseError(
      "internal",
      `agentctl answered ${method} in a shape this server does not know`,
      { cause },
    );
  }
};

const unanswered = (
  method: LinkMethod,
  ms: number,
  cause: DeadlineExceeded,
): RepriseError =>
  new RepriseError(
    "timed_out",
    `agentctl is there and has not answered \`${method}\` for ${ms / 1000} s. It may still do it; agentctl.log in the home says what it does`,
    { cause },
  );

const lost = (): RepriseError =>
  unavailable(
    "The connection to agentctl is lost; it is opened again when it is needed",
  );

/** Orders that touch files, or only memory: a flush on a busy disk may take seconds, not more. */
const SOON_MS = 30_000;
/** Orders that see processes gone, or programs answer, before they are answered themselves. */
const LATER_MS = 60_000;

/**
 * How long an order may go unanswered over a link that stands. What is not named here moves whole workspaces and takes
 * as long as that takes; `hello` has its own deadline.
 */
const orderDeadlines: Readonly<Partial<Record<LinkMethod, number>>> = {
  start: LATER_MS,
  executions: LATER_MS,
  survivors: LATER_MS,
  clear: LATER_MS,
  agents: LATER_MS,
  look: LATER_MS,
  attach: SOON_MS,
  prompt: SOON_MS,
  cancel: SOON_MS,
  answer: SOON_MS,
  stop: SOON_MS,
  acknowledge: SOON_MS,
  forget: SOON_MS,
  retire: SOON_MS,
  workspace: SOON_MS,
  release: SOON_MS,
  list_files: SOON_MS,
  list_directories: SOON_MS,
  sandbox: LATER_MS,
  cancel_exec: SOON_MS,
  processes: LATER_MS,
  end_process: LATER_MS,
  git_status: LATER_MS,
  git_diff: LATER_MS,
  git_log: LATER_MS,
  git_branches: LATER_MS,
  shell_open: SOON_MS,
  shell_list: SOON_MS,
  shell_resize: SOON_MS,
  shell_close: LATER_MS,
  shell_end_all: LATER_MS,
};
