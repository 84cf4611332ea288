import type { Worker } from "node:worker_threads";
import type {
  Answer,
  Calls,
  FromThread,
  Request,
  ToThread,
} from "./messages.ts";

interface Waiter {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface WorkerCallsOptions<F, N> {
  /** What a failure that crossed is thrown as. */
  errorOf(failure: F): Error;
  /** What is thrown at those who wait when the thread ends. */
  endedBy(cause: unknown): Error;
  onNote?(note: N): void;
  /** Called when the thread is gone, and with it whatever it had open; those who wait are told after that. */
  onExit?(cause: unknown): void;
  /** Whether requests of one turn of the event loop travel together. If not, each leaves at once, also where the owner computes on. */
  batches: boolean;
  /** Whether the thread keeps the process alive while nobody waits for an answer. */
  keepsAlive: boolean;
}

/** The owner's end of a thread: calls in, answers out, until the thread ends. Who wants to limit what waits looks at `load`. */
export class WorkerCalls<C extends Calls<C>, F, N = never> {
  readonly #worker: Worker;
  readonly #options: WorkerCallsOptions<F, N>;
  readonly #waiting = new Map<number, Waiter>();
  #outbox: Request<C>[] = [];
  #lastId = 0;
  /** Why nothing can be asked any more. */
  #over: Error | null = null;
  readonly #exit = Promise.withResolvers<void>();
  #hasExited = false;
  #closing: Promise<void> | null = null;
  #idle: (() => void) | null = null;

  constructor(worker: Worker, options: WorkerCallsOptions<F, N>) {
    this.#worker = worker;
    this.#options = options;
    if (!options.keepsAlive) worker.unref();
    worker.on("message", (message: FromThread<F, N>) => {
      if ("note" in message) options.onNote?.(message.note);
      else for (const answer of message) this.#settle(answer);
    });
    let cause: unknown;
    worker.on("error", (error: unknown) => {
      cause = error;
    });
    worker.on("exit", () => this.#exited(cause));
  }

  /** How much was asked and is not answered. */
  get load(): number {
    return this.#waiting.size;
  }

  get isOver(): boolean {
    return this.#over !== null;
  }

  call<K extends keyof C>(
    kind: K,
    query: C[K]["query"],
    abort?: SharedArrayBuffer,
  ): Promise<C[K]["answer"]> {
    if (this.#over !== null) return Promise.reject(this.#over);
    const id = (this.#lastId += 1);
    const request = { id, kind, query, ...(abort && { abort }) };
    if (!this.#options.keepsAlive) this.#worker.ref();
    return new Promise<C[K]["answer"]>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#outbox.push(request);
      if (!this.#options.batches) this.#flush();
      else if (this.#outbox.length === 1) process.nextTick(() => this.#flush());
    });
  }

  /** Waits for what was asked before, then has the thread close what it opened, and waits until it is gone. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Ends the thread where it stands. Who waits is told this reason. */
  async terminate(reason: Error): Promise<void> {
    this.#over ??= reason;
    await this.#worker.terminate();
  }

  async #close(): Promise<void> {
    // Whoever gets the last answer may ask something else before we are told of it.
    while (this.#waiting.size > 0)
      await new Promise<void>((resolve) => (this.#idle = resolve));
    if (this.#hasExited) return;
    this.#post("close");
    await this.#exit.promise;
  }

  #flush(): void {
    const requests = this.#outbox;
    this.#outbox = [];
    if (requests.length > 0) this.#send(requests);
  }

  /** A message that cannot be cloned is not sent at all: its requests then travel one by one, so that only the bad ones fail. */
  #send(requests: readonly Request<C>[]): void {
    try {
      this.#post(requests);
    } catch (error) {
      const [first, ...more] = requests;
      if (first === undefined) return;
      if (more.length === 0) this.#reject(first.id, error);
      else for (const each of requests) this.#send([each]);
    }
  }

  #post(message: ToThread<C>): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#worker.postMessage(message);
  }

  #settle(answer: Answer<F>): void {
    const waiter = this.#taken(answer.id);
    if ("failure" in answer)
      waiter?.reject(this.#options.errorOf(answer.failure));
    else waiter?.resolve(answer.value);
    this.#restIfIdle();
  }

  #reject(id: number, error: unknown): void {
    this.#taken(id)?.reject(
      error instanceof Error ? error : new Error(String(error)),
    );
    this.#restIfIdle();
  }

  #taken(id: number): Waiter | undefined {
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiter;
  }

  #restIfIdle(): void {
    if (this.#waiting.size > 0) return;
    if (!this.#options.keepsAlive) this.#worker.unref();
    this.#idle?.();
  }

  #exited(cause: unknown): void {
    this.#hasExited = true;
    const error = (this.#over ??= this.#options.endedBy(cause));
    this.#options.onExit?.(cause);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#outbox = [];
    for (const waiter of waiting) waiter.reject(error);
    this.#idle?.();
    this.#exit.resolve();
  }
}
