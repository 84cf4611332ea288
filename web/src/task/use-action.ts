import { useRef, useState } from "react";
import { refusalWords } from "../words/refusal-words.ts";

export interface Running {
  isBusy: boolean;
  failure: string | null;
  /** One at a time. A name keeps its idempotency key until it was done: a second try after a lost answer does nothing twice. */
  run: (name: string, action: (key: string) => Promise<unknown>) => void;
}

export const useAction = (): Running => {
  const keys = useRef(new Map<string, string>());
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run: Running["run"] = (name, action) => {
    if (isBusy) return;
    const key = keys.current.get(name) ?? crypto.randomUUID();
    keys.current.set(name, key);
    setBusy(true);
    setFailure(null);
    action(key)
      .then(() => keys.current.delete(name))
      .catch((error: unknown) => setFailure(refusalWords(error)))
      .finally(() => setBusy(false));
  };
  return { isBusy, failure, run };
};
