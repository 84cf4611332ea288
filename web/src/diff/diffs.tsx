import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from "react";
import { WorkerClient } from "../kit/worker-client.ts";
import type { DiffFile } from "./parse.ts";
import type { DiffRequest } from "./read.ts";

/** So many unified texts stay read. */
const MAX_KEPT = 20;

/** Asks the worker of diffs, and remembers what it said. */
export class Diffs {
  #worker = new WorkerClient<DiffRequest, DiffFile[]>(
    () =>
      new Worker(new URL("diff.worker.ts", import.meta.url), {
        type: "module",
      }),
  );
  #texts = new WeakMap<object, DiffFile[]>();
  #unified = new Map<string, DiffFile[]>();

  known(request: DiffRequest): DiffFile[] | null {
    return (
      (request.kind === "texts"
        ? this.#texts.get(request.files)
        : this.#unified.get(request.text)) ?? null
    );
  }

  async of(request: DiffRequest): Promise<DiffFile[]> {
    const files = await this.#worker.ask(request);
    if (request.kind === "texts") this.#texts.set(request.files, files);
    else {
      const [oldest] = this.#unified.keys();
      if (this.#unified.size >= MAX_KEPT && oldest !== undefined)
        this.#unified.delete(oldest);
      this.#unified.set(request.text, files);
    }
    return files;
  }

  close(): void {
    this.#worker.close();
  }
}

const DiffsContext = createContext<Diffs | null>(null);

/** Reads the diffs below it, and ends the worker with it. */
export const DiffReading = ({ children }: { children: ReactNode }) => {
  const [diffs] = useState(() => new Diffs());
  useEffect(() => () => diffs.close(), [diffs]);
  return <DiffsContext value={diffs}>{children}</DiffsContext>;
};

/** The files of a diff; null until they are read, or where there is nothing to read. */
export const useDiff = (request: DiffRequest | null): DiffFile[] | null => {
  const diffs = useContext(DiffsContext);
  const [, setRead] = useState(0);
  const known = request === null ? null : (diffs?.known(request) ?? null);
  const about = request === null ? null : contentOf(request);
  const read = useEffectEvent(() =>
    diffs === null || request === null
      ? Promise.resolve([])
      : diffs.of(request),
  );
  useEffect(() => {
    if (diffs === null || about === null || known !== null) return;
    let isCurrent = true;
    void read().then(
      () => isCurrent && setRead((count) => count + 1),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [diffs, about, known]);
  return known;
};

const contentOf = (request: DiffRequest): unknown =>
  request.kind === "texts" ? request.files : request.text;
