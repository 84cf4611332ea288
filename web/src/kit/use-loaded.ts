import { useCallback, useEffect, useRef, useState } from "react";

export type Loaded<T> =
  | { kind: "loading" }
  | { kind: "loaded"; value: T }
  | { kind: "failed"; text: string };

/** Reads something when a screen is opened, and again when it is asked for. What is there stays until the newer is. `load` must be stable. */
export const useLoaded = <T>(
  load: () => Promise<T>,
): { state: Loaded<T>; isBusy: boolean; reload: () => void } => {
  const [state, setState] = useState<Loaded<T>>({ kind: "loading" });
  const [isBusy, setBusy] = useState(true);
  /** The newest attempt: an older answer does not count. */
  const attempt = useRef(0);
  const reload = useCallback(() => {
    const mine = ++attempt.current;
    setBusy(true);
    load()
      .then(
        (value): Loaded<T> => ({ kind: "loaded", value }),
        (error: unknown): Loaded<T> => ({
          kind: "failed",
          text: error instanceof Error ? error.message : String(error),
        }),
      )
      .then((next) => {
        if (mine !== attempt.current) return;
        setBusy(false);
        setState(next);
      })
      // The two above do not fail.
      .catch(() => undefined);
  }, [load]);
  useEffect(() => {
    reload();
    return () => {
      attempt.current += 1;
    };
  }, [reload]);
  return { state, isBusy, reload };
};
