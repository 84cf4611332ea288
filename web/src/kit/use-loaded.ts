import {
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { refusalWords } from "../words/refusal-words.ts";

export interface Loaded<T> {
  /** Null until it is there. It stays while it is asked for again. */
  value: T | null;
  /** Why it is not there, or not up to date. */
  refusal: string | null;
  isLoading: boolean;
  reload: () => void;
}

/**
 * Asks for something, again when `key` is another one. With another `version`, and every `everyMs` while the page is in sight, it is asked
 * for again while what was there stays. Null: it is not asked for.
 */
export const useLoaded = <T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  {
    everyMs = null,
    version = 0,
  }: { everyMs?: number | null; version?: number } = {},
): Loaded<T> => {
  const [told, setTold] = useState<{
    key: string;
    value: T | null;
    refusal: string | null;
  } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isLoading, setLoading] = useState(false);
  const askAgain = useRef<() => void>(() => undefined);
  const seen = useRef(version);
  const ask = useEffectEvent((signal: AbortSignal) => load(signal));
  useEffect(() => {
    if (key === null) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isBusy = false;
    let isDue = false;
    const turn = async (): Promise<void> => {
      isBusy = true;
      isDue = false;
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
      isBusy = false;
      setLoading(false);
      if (isDue) return turn();
      if (everyMs !== null) timer = setTimeout(again, everyMs);
    };
    const again = (): void => {
      if (document.visibilityState === "visible") void turn();
      else timer = setTimeout(again, everyMs ?? 0);
    };
    // What is under way is not broken off: with much news no answer would ever come.
    askAgain.current = () => {
      if (isBusy) isDue = true;
      else {
        clearTimeout(timer);
        void turn();
      }
    };
    void turn();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [key, attempt, everyMs]);
  useEffect(() => {
    if (seen.current === version) return;
    seen.current = version;
    if (key !== null) askAgain.current();
  }, [key, version]);
  const current = told?.key === key ? told : null;
  return {
    value: current?.value ?? null,
    refusal: current?.refusal ?? null,
    isLoading: key !== null && (isLoading || current === null),
    reload: useCallback(() => setAttempt((count) => count + 1), []),
  };
};
