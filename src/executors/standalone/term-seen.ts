import { join } from "node:path";
import { termIn } from "../../contract/link.ts";
import { readIfThere } from "../../kit/files/durable-file.ts";

/**
 * The highest term that the agentctl of a home has seen, 0 without one. It may be higher than the database's, which
 * somebody has brought back from a copy: whoever holds the home comes after both.
 */
export const termSeen = async (directory: string): Promise<number> =>
  termIn(await readIfThere(join(directory, "term")));
