import { pino } from "pino";
import { LogFile, type LogLimits } from "../kit/files/log-file.ts";
import type { Log } from "../runtime/ports/home.ts";

/** The server's log: lines of JSON in files of its own, 0600. */
export const openLog = (
  path: string,
  limits: LogLimits,
): Log & { close(): Promise<void> } => {
  const file = new LogFile({
    path,
    ...limits,
    tellLost: (lines, why) =>
      tell(40, `${lines} lines could not be written here: ${String(why)}`),
  });
  const log = pino({ base: null, level: "info" }, file);
  return {
    info: (facts, words) => log.info(facts, words),
    warn: (facts, words) => log.warn(facts, words),
    error: (facts, words) => log.error(facts, words),
    close: () => file.close(),
  };
};

/** A line as pino would write it. */
const tell = (level: number, msg: string): string =>
  `${JSON.stringify({ level, time: Date.now(), msg })}\n`;
