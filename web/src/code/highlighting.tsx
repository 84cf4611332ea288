import { createContext, type ReactNode, useEffect, useState } from "react";
import { WorkerClient } from "../kit/worker-client.ts";
import type { CodeAnswer, CodeRequest } from "./tokens.ts";

/** So many texts stay coloured when they leave the screen and come back. */
const MAX_KEPT = 200;

/** Asks the worker, and remembers what it said. */
export class Colours {
  #worker = new WorkerClient<CodeRequest, CodeAnswer>(
    () =>
      new Worker(new URL("highlight.worker.ts", import.meta.url), {
        type: "module",
      }),
  );
  #kept = new Map<string, CodeAnswer>();

  known({ text, language }: CodeRequest): CodeAnswer {
    return this.#kept.get(`${language}\n${text}`) ?? null;
  }

  /** Null where the text stays plain. */
  async of(request: CodeRequest): Promise<CodeAnswer> {
    const answer = await this.#worker.ask(request).catch(() => null);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined)
      this.#kept.delete(oldest);
    this.#kept.set(`${request.language}\n${request.text}`, answer);
    return answer;
  }

  close(): void {
    this.#worker.close();
  }
}

/** Null: code stays plain. */
export const ColoursContext = createContext<Colours | null>(null);

/** Gives the code below it its colours, and ends the worker with it. */
export const Highlighting = ({ children }: { children: ReactNode }) => {
  const [colours] = useState(() => new Colours());
  useEffect(() => () => colours.close(), [colours]);
  return <ColoursContext value={colours}>{children}</ColoursContext>;
};
