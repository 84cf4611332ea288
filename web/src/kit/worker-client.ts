/** What a worker is asked. */
export interface Question<Request> {
  id: number;
  request: Request;
}

/** What it answers. */
interface Told<Answer> {
  id: number;
  answer: Answer;
  error?: string;
}

/** Asks a worker. It is started by the first question, and again by the next one after it broke. */
export class WorkerClient<Request, Answer> {
  readonly #start: () => Worker;
  #worker: Worker | null = null;
  #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #asked = 0;

  constructor(start: () => Worker) {
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

  #running(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = this.#start();
    worker.addEventListener("message", (event: MessageEvent<Told<Answer>>) => {
      const { data: told } = event;
      const waiting = this.#waiting.get(told.id);
      this.#waiting.delete(told.id);
      if (told.error === undefined) waiting?.resolve(told.answer);
      else waiting?.reject(new Error(told.error));
    });
    worker.addEventListener("error", () => this.close());
    this.#worker = worker;
    return worker;
  }
}

/** The other side: tells what came of a question. */
export const reply = (id: number, answer: Promise<unknown>): void => {
  answer.then(
    (answer) => globalThis.postMessage({ id, answer }),
    (error: unknown) =>
      globalThis.postMessage({
        id,
        error: error instanceof Error ? error.message : "unknown",
      }),
  );
};
