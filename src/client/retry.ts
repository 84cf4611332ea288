/** When a request is worth asking again, and the pause before that. */
import { RepriseError, problems } from "../contract/problem/problem.ts";

/**
 * A refusal of the request itself, or a damage: trying again would not change it. Other trouble in the server may pass, and so
 * does that another server has taken over: it is the one that answers next.
 */
export const isFinal = (error: unknown): boolean =>
  error instanceof RepriseError &&
  error.code !== "superseded" &&
  (problems[error.code][0] < 500 ||
    error.code === "session_damaged" ||
    error.code === "task_damaged");

/** Resolves after a time, or at once when the signal aborts. */
export const pause = (
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted === true) done();
    else signal?.addEventListener("abort", done);
  });
