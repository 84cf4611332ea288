/** When a request is worth asking again, and the pause before that. */
import type { ProblemCode, problems } from "../contract/problem/problem.ts";
import { RepriseError } from "../contract/problem/reprise-error.ts";

type Trouble = {
  [Code in ProblemCode]: `${(typeof problems)[Code][0]}` extends `5${string}`
    ? Code
    : never;
}[ProblemCode];

/** Which troubles of a server may pass. The compiler sees that each has its line; the page does without the table of all problems. */
const mayPass = {
  agentctl_unavailable: true,
  cannot_start: true,
  checkpoint_damaged: true,
  container_not_usable: true,
  docker_unavailable: true,
  home_unusable: true,
  host_not_usable: false,
  internal: true,
  search_unavailable: true,
  session_damaged: false,
  storage_damaged: true,
  storage_full: true,
  storage_unavailable: true,
  superseded: true,
  task_damaged: false,
  timed_out: true,
  wrong_fingerprint: false,
} satisfies Record<Trouble | "superseded", boolean>;

/**
 * A refusal of the request itself, or a damage: trying again would not change it. Other trouble in the server may pass, and so
 * does that another server has taken over: it is the one that answers next.
 */
export const isFinal = (error: unknown): boolean =>
  error instanceof RepriseError && !passes(error.code);

const passes = (code: ProblemCode): boolean => {
  const known: Partial<Record<ProblemCode, boolean>> = mayPass;
  return known[code] === true;
};

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
