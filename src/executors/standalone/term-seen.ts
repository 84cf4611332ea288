import { join } from "node:path";
import { readIfThere } from "../../kit/durable-file.ts";

/**
 * The highest term that the agentctl of a home has seen, 0 without one. It may be higher than the database's, which
 * somebody has brought back from a copy: whoever holds the home comes after both.
 */
export const termSeen = async (directory: string): Promise<number> => {
  const text = await readIfThere(join(directory, "term"));
  // As agentctl reads it.
  const term = Number.parseInt(text ?? "0", 10);
  return Number.isSafeInteger(term) && term > 0 ? term : 0;
};
