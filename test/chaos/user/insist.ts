/** Asking a server that may be dead, frozen or starting, until it has answered. */
import { setTimeout as pause } from "node:timers/promises";
import { ServerUnreachable } from "../../../src/client/client.ts";
import {
  problems,
  RepriseError,
} from "../../../src/contract/problem/problem.ts";
import type { Chance } from "../random.ts";

export type Outcome<T> =
  | { kind: "done"; value: T }
  /** The server said no: asking again would not change it. */
  | { kind: "refused"; code: string; message: string }
  /** Time was up: whether it was done is not known. */
  | { kind: "unknown" };

/** Gives up waiting for one answer after a while, asks again, and stops only at `signal`. */
export const insist = async <T>(
  chance: Chance,
  signal: AbortSignal,
  ask: (patience: AbortSignal) => Promise<T>,
): Promise<Outcome<T>> => {
  while (!signal.aborted) {
    const outcome = await askOnce(chance, signal, ask);
    if (outcome.kind !== "unknown") return outcome;
    await pause(chance.between(10, 250), undefined, { signal }).catch(
      () => null,
    );
  }
  return { kind: "unknown" };
};

/** One question, for as long as a client may wait: a moment, or long enough. */
export const askOnce = async <T>(
  chance: Chance,
  signal: AbortSignal,
  ask: (patience: AbortSignal) => Promise<T>,
): Promise<Outcome<T>> => {
  const ms = chance.isLucky(0.1)
    ? chance.between(1, 100)
    : chance.between(2000, 15_000);
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    return { kind: "done", value: await ask(patience) };
  } catch (error) {
    if (error instanceof RepriseError && isFinal(error))
      return { kind: "refused", code: error.code, message: error.message };
    if (
      error instanceof RepriseError ||
      error instanceof ServerUnreachable ||
      isAbort(error)
    )
      return { kind: "unknown" };
    throw error;
  }
};

/** A server that was superseded does nothing any more: its successor is asked. */
const isFinal = ({ code }: RepriseError): boolean =>
  problems[code][0] < 500 && code !== "superseded";

const isAbort = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "TimeoutError" || error.name === "AbortError");
