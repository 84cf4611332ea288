import type { CommitFeed } from "./commit-feed.ts";
import type { Kind } from "./journaled.ts";

/** Resolves with the first state that fits, now or after a commit. */
export const untilFits = <K extends Kind>({
  commits,
  id,
  now,
  fits,
  signal,
}: {
  commits: CommitFeed<K>;
  id: K["id"];
  now: () => Promise<K["state"]>;
  fits: (state: K["state"]) => boolean;
  signal: AbortSignal;
}): Promise<K["state"]> =>
  new Promise((resolve, reject) => {
    const leave = commits.on(
      id,
      ({ after }) => {
        if (fits(after)) settle(() => resolve(after));
      },
      (why) => settle(() => reject(why)),
    );
    const abort = (): void => settle(() => reject(asError(signal.reason)));
    const settle = (finish: () => void): void => {
      leave();
      signal.removeEventListener("abort", abort);
      finish();
    };
    signal.addEventListener("abort", abort);
    if (signal.aborted) return abort();
    now().then(
      (state) => {
        if (fits(state)) settle(() => resolve(state));
      },
      (error: unknown) => settle(() => reject(error)),
    );
  });

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason));
