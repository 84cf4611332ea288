/** What a worker is asked, and what it answers: `{id, request}` and `{id, answer}` or `{id, error}`. */
export interface WorkerPort {
  postMessage(message: unknown): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Asks a worker. It is started by the first question, and again by the next one after it broke. */
export class WorkerClient<Request, Answer> {
  readonly #start: () => WorkerPort;
  #worker: WorkerPort | null = null;
  #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #asked = 0;

  constructor(start: () => WorkerPort) {
    this.#start = start;
  }

  ask(request: Request): Promise<Answer> {
    const id = ++this.#asked;
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.set(id, answer);
    this.#running().postMessage({ id, request });
    return answer.promise;
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const { reject } of waiting.values())
      reject(new Error("the worker ended"));
  }

  #running(): WorkerPort {
    if (this.#worker !== null) return this.#worker;
    const worker = this.#start();
    worker.onmessage = ({ data }) => {
      const told = data as { id: number; answer: Answer; error?: string };
      const waiting = this.#waiting.get(told.id);
      this.#waiting.delete(told.id);
      if (told.error === undefined) waiting?.resolve(told.answer);
      else waiting?.reject(new Error(told.error));
    };
    worker.onerror = () => this.close();
    this.#worker = worker;
    return worker;
  }
}

/** The other side, in the worker. */
export const serveWorker = <Request, Answer>(
  answer: (request: Request) => Promise<Answer>,
): void => {
  globalThis.onmessage = ({ data }: MessageEvent) => {
    const { id, request } = data as { id: number; request: Request };
    void answer(request).then(
      (answer) => globalThis.postMessage({ id, answer }),
      (error: unknown) =>
        globalThis.postMessage({
          id,
          error: error instanceof Error ? error.message : "unknown",
        }),
    );
  };
};
