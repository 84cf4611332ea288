/** Keeps to the retention policy: at start-up, and once an hour. */
import { RepriseError } from "../../contract/problem/problem.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import type { Log } from "../ports/home.ts";

const HOUR_MS = 3_600_000;

export interface RetentionWatch {
  /** Resolves when the look that is under way, if any, is over. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export const watchRetention = (
  /** The signal says that nobody waits for places any more. */
  keep: (signal: AbortSignal) => Promise<object>,
  log: Log,
  everyMs = HOUR_MS,
): RetentionWatch => {
  const closing = new AbortController();
  let underWay = Promise.resolve();
  const look = (): void => {
    underWay = underWay
      .then(() => keep(closing.signal))
      .then(
        (fated) => tell(log, fated),
        (error: unknown) => {
          // Without agentctl nothing can be thrown away; the next look will do it.
          const level = isLinkLost(error) ? "warn" : "error";
          log[level]({ err: error }, "could not keep to the retention policy");
        },
      );
  };
  look();
  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    drain: () => underWay,
    async close() {
      clearInterval(timer);
      closing.abort(
        new RepriseError("agentctl_unavailable", "The server is closing."),
      );
      await underWay;
    },
  };
};

const tell = (log: Log, fated: object): void => {
  if (
    Object.values(fated).some((each) => Array.isArray(each) && each.length > 0)
  )
    log.info(fated, "kept to the retention policy");
};
