import { LogFile, type LogLimits } from "../../kit/files/log-file.ts";

/** What agentctl says about itself, one JSON object per line. No texts of sessions, no values of variables. */
export type Log = (words: string, facts?: Record<string, unknown>) => void;

export const openLog = (
  path: string,
  limits: LogLimits,
): { log: Log; close(): Promise<void> } => {
  const file = new LogFile({
    path,
    ...limits,
    tellLost: (lines, why) =>
      lineOf("lines could not be written here", { lines, why: String(why) }),
  });
  return {
    log: (words, facts = {}) => file.write(lineOf(words, facts)),
    close: () => file.close(),
  };
};

const lineOf = (words: string, facts: Record<string, unknown>): string => {
  const line = { at: new Date().toISOString(), pid: process.pid, words };
  return `${JSON.stringify({ ...line, ...facts })}\n`;
};

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
