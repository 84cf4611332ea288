/**
 * Git goes through all worktrees of a repository when it makes or lists one, and fails where another git has just begun to
 * make one: its entry is there, and what is in it comes a moment later.
 */
import { setTimeout as delay } from "node:timers/promises";
import { backoff } from "../../../kit/time/backoff.ts";
import { GitFailed } from "./git.ts";

const MAX_TRIES = 10;

/** Asks again while another worktree is half made. */
export const onceOthersAreMade = async <T>(
  ask: () => Promise<T>,
  pause: (ms: number) => Promise<unknown> = delay,
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isHalfMade(error) || tries === MAX_TRIES) throw error;
    }
    await pause(backoff(tries, 10, 1000, Math.random()));
  }
};

const isHalfMade = (error: unknown): boolean =>
  error instanceof GitFailed && error.isHalfMade;
