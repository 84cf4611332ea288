import { RepriseError } from "../../contract/problem/problem.ts";
import type { Log } from "../../runtime/ports/home.ts";

/** A stream ended before its client left. That what it told of was removed, or that another server has it, is no fault. */
export const tellBroken = (
  log: Log,
  of: Readonly<Record<string, string>>,
  err: unknown,
  words: string,
): void => {
  if (err instanceof RepriseError) log.info({ ...of, code: err.code }, words);
  else log.error({ err, ...of }, words);
};
