import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from "react";
import { LoadingState } from "../kit/loading-state.tsx";
import { NotLoaded } from "../late/not-loaded.tsx";
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

/** A diff as it is read. */
export interface ReadDiff {
  /** Null until they are read, and where there is nothing to read. */
  files: DiffFile[] | null;
  /** Asks for it again; null where nothing went wrong. */
  again: (() => void) | null;
}

export const useDiff = (request: DiffRequest | null): ReadDiff => {
  const diffs = useContext(DiffsContext);
  const [, setRead] = useState(0);
  /** What could not be read: the code of the worker may not have come. */
  const [failed, setFailed] = useState<unknown>(null);
  const files = request === null ? null : (diffs?.known(request) ?? null);
  const about = request === null ? null : contentOf(request);
  const hasFailed = about !== null && failed === about;
  const read = useEffectEvent(() =>
    diffs === null || request === null
      ? Promise.resolve([])
      : diffs.of(request),
  );
  const isRead = files !== null;
  useEffect(() => {
    if (diffs === null || about === null || isRead || hasFailed) return;
    let isCurrent = true;
    void read().then(
      () => isCurrent && setRead((count) => count + 1),
      () => isCurrent && setFailed(about),
    );
    return () => {
      isCurrent = false;
    };
  }, [diffs, about, isRead, hasFailed]);
  return { files, again: hasFailed ? () => setFailed(null) : null };
};

const contentOf = (request: DiffRequest): unknown =>
  request.kind === "texts" ? request.files : request.text;

/** Until a diff is read. */
export const DiffWait = ({
  again,
  label,
}: Pick<ReadDiff, "again"> & { label: string }) =>
  again === null ? (
    <LoadingState label={label} />
  ) : (
    <NotLoaded name={CODE_OF_DIFFS} look="screen" onAgain={again} />
  );

/** What could not be loaded where a diff cannot be read. */
export const CODE_OF_DIFFS = "The code that reads diffs";
