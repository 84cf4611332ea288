/** The program of the thread that has the screens: parsing output takes a processor for as long as a program floods it. */
import { type MessagePort, parentPort } from "node:worker_threads";
import type { ShellId } from "../../../contract/base/id.ts";
import type { Answer, Request } from "../../../kit/worker-rpc/messages.ts";
import { serveRequests } from "../../../kit/worker-rpc/serve-requests.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { Screen } from "./screen.ts";
import type { ScreenCalls, ScreenNote } from "./screen-messages.ts";

const port = parentPort;
if (port === null) throw new Error("this is the program of a thread");

class ScreenServer {
  readonly #port: MessagePort;
  readonly #screens = new Map<ShellId, Screen>();
  /** One after the other: what a shell shows has an order. */
  #last: Promise<void> = Promise.resolve();

  constructor(port: MessagePort) {
    this.#port = port;
  }

  take(
    request: Request<ScreenCalls>,
    reply: (answers: readonly Answer<string>[]) => void,
  ): void {
    this.#last = this.#last.then(async () =>
      reply([await this.#answerTo(request)]),
    );
  }

  close(): void {
    for (const screen of this.#screens.values()) screen.close();
  }

  async #answerTo(request: Request<ScreenCalls>): Promise<Answer<string>> {
    const { id } = request;
    try {
      return { id, value: await this.#carryOut(request) };
    } catch (error) {
      return { id, failure: String(error) };
    }
  }

  async #carryOut(request: Request<ScreenCalls>): Promise<unknown> {
    switch (request.kind) {
      case "open":
        await this.#open(request.query);
        return null;
      case "write":
        return this.#write(request.query);
      case "resize":
        this.#find(request.query.shell).resize(request.query.size);
        return null;
      case "snapshot":
        return this.#find(request.query.shell).snapshot(request.query.last);
      case "close":
        this.#screens.get(request.query.shell)?.close();
        this.#screens.delete(request.query.shell);
        return null;
      default:
        return unreachable(request);
    }
  }

  async #open({
    shell,
    snapshot,
  }: ScreenCalls["open"]["query"]): Promise<void> {
    this.#screens.get(shell)?.close();
    const screen = new Screen(snapshot, {
      answer: (text) => this.#tell({ kind: "answer", shell, text }),
      title: (title) => this.#tell({ kind: "title", shell, title }),
    });
    this.#screens.set(shell, screen);
    await screen.draw(snapshot.bytes);
  }

  #write({
    shell,
    bytes,
    isReplay,
  }: ScreenCalls["write"]["query"]): Promise<boolean> {
    const screen = this.#find(shell);
    if (!isReplay) screen.goLive();
    return screen.write(bytes);
  }

  #find(shell: ShellId): Screen {
    const screen = this.#screens.get(shell);
    if (screen === undefined) throw new Error(`${shell} has no screen`);
    return screen;
  }

  #tell(note: ScreenNote): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#port.postMessage({ note });
  }
}

const server = new ScreenServer(port);

serveRequests<ScreenCalls, string>(port, {
  most: 1,
  answer: (requests, reply) => {
    for (const request of requests) server.take(request, reply);
  },
  close: () => server.close(),
});
