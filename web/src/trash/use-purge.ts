import { useState } from "react";
import type { TrashRow } from "./trash-rows.ts";
import { type PurgeClient, purgeRows } from "./purge-rows.ts";

export interface Purging {
  /** What is asked about: one row, or all that were listed. */
  asking: { rows: readonly TrashRow[]; isAll: boolean } | null;
  /** How many of how many are gone; null while nothing is being deleted. */
  progress: { gone: number; of: number } | null;
  gone: ReadonlySet<string>;
  /** Why something is still there, by its id. */
  failed: ReadonlyMap<string, string>;
  ask: (rows: readonly TrashRow[], isAll: boolean) => void;
  cancel: () => void;
  /** Deletes what was asked about, and nothing that came since. */
  confirm: () => void;
}

/** What is asked and done to delete rows of the trash for good. `onOver` is called when all of them were tried. */
export const usePurge = (client: PurgeClient, onOver: () => void): Purging => {
  const [asking, setAsking] = useState<Purging["asking"]>(null);
  const [progress, setProgress] = useState<Purging["progress"]>(null);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [failed, setFailed] = useState<ReadonlyMap<string, string>>(new Map());
  const confirm = (): void => {
    if (asking === null || progress !== null) return;
    const { rows } = asking;
    setAsking(null);
    setFailed(new Map());
    setProgress({ gone: 0, of: rows.length });
    purgeRows(client, rows, (page) => {
      setGone((before) => before.union(new Set(page.gone)));
      setFailed((before) => new Map([...before, ...page.failed]));
      setProgress(
        (before) =>
          before && { ...before, gone: before.gone + page.gone.length },
      );
    })
      .finally(() => {
        setProgress(null);
        onOver();
      })
      // What is refused is told beside its row.
      .catch(() => undefined);
  };
  return {
    asking,
    progress,
    gone,
    failed,
    ask: (rows, isAll) => setAsking({ rows, isAll }),
    cancel: () => setAsking(null),
    confirm,
  };
};
