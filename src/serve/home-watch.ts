import { closeSync, fstatSync, openSync } from "node:fs";
import { RepriseError } from "../contract/problem/problem.ts";
import { type Displaced, watchIdentities } from "../kit/files/file-identity.ts";
import { refuseDisplaced } from "../store/displaced.ts";

export interface HomeWatch {
  /** Refuses with `storage_unavailable` while something of the home is not the one that was opened. */
  check(): void;
  /** Resolves when the home was removed: nothing can bring it back. */
  readonly removed: Promise<void>;
  close(): void;
}

/**
 * Watches a home that is open. What is acknowledged does not depend on it: the thread that writes looks for itself, at
 * every commit. This one keeps whatever else would be made in the home from appearing in a place that is not the home,
 * and tells the user.
 */
export const watchHome = (options: {
  home: string;
  /** The files in it that must stay what they are. */
  files: readonly string[];
  everyMs: number;
  /** Called with what to tell the user: when it is lost, and when it is back. */
  tell: (words: string) => void;
}): HomeWatch => {
  const { home, everyMs, tell } = options;
  // Held open: its identity cannot be given to another directory, and its links can be counted when it has no name.
  const held = openSync(home, "r");
  const displaced = watchIdentities([home, ...options.files]);
  const removed = Promise.withResolvers<void>();
  let last: Displaced | null = null;

  const look = (): Displaced | null => {
    const now = displaced();
    if (now !== null && last === null) tell(refuseDisplaced(now).message);
    if (now === null && last !== null)
      tell(`${home} is back, and the server goes on.`);
    last = now;
    if (now !== null && fstatSync(held).nlink === 0) removed.resolve();
    return now;
  };

  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    check() {
      const now = look();
      if (now === null) return;
      const { code, message } = refuseDisplaced(now);
      throw new RepriseError(code, message);
    },
    removed: removed.promise,
    close() {
      clearInterval(timer);
      closeSync(held);
    },
  };
};
