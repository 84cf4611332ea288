import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { refusalWords } from "../dock/refusal-words.ts";

export interface Loaded<T> {
  /** Null until it is there. It stays while it is asked for again. */
  value: T | null;
  /** Why it is not there, or not up to date. */
  refusal: string | null;
  isLoading: boolean;
  reload: () => void;
}

/** Asks for something, again when `key` is another one, and every `everyMs` while the page is in sight. Null: it is not asked for. */
export const useLoaded = <T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number | null = null,
): Loaded<T> => {
  const [told, setTold] = useState<{
    key: string;
    value: T | null;
    refusal: string | null;
  } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isLoading, setLoading] = useState(false);
  const ask = useEffectEvent((signal: AbortSignal) => load(signal));
  useEffect(() => {
    if (key === null) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turn = async (): Promise<void> => {
      setLoading(true);
      try {
        const value = await ask(signal);
        if (!signal.aborted) setTold({ key, value, refusal: null });
      } catch (error) {
        if (!signal.aborted)
          setTold((known) => ({
            key,
            value: known?.key === key ? known.value : null,
            refusal: refusalWords(error),
          }));
      }
      if (signal.aborted) return;
      setLoading(false);
      if (everyMs !== null) timer = setTimeout(again, everyMs);
    };
    const again = (): void => {
      if (document.visibilityState === "visible") void turn();
      else timer = setTimeout(again, everyMs ?? 0);
    };
    void turn();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [key, attempt, everyMs]);
  const current = told?.key === key ? told : null;
  return {
    value: current?.value ?? null,
    refusal: current?.refusal ?? null,
    isLoading: key !== null && (isLoading || current === null),
    reload: useCallback(() => setAttempt((count) => count + 1), []),
  };
};
