import { appendFileSync } from "node:fs";

/** What agentctl says about itself, one JSON object per line. No texts of sessions, no values of variables. */
export type Log = (words: string, facts?: Record<string, unknown>) => void;

export const logTo =
  (path: string): Log =>
  (words, facts = {}) => {
    const line = { at: new Date().toISOString(), pid: process.pid, words };
    try {
      appendFileSync(path, `${JSON.stringify({ ...line, ...facts })}\n`, {
        mode: 0o600,
      });
    } catch {
      // A log that cannot be written must not stop the work.
    }
  };

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
