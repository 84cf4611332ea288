import { createHash } from "node:crypto";
import { join } from "node:path";
import { instructionFiles } from "../../agents/agent/instruction-files.ts";
import type { InstructionFile } from "../../contract/agent.ts";
import { plainBytes } from "../../kit/files/read-plain.ts";

/** No instructions are that long; whatever bears their name and is longer is not read. */
const LONGEST = 1024 * 1024;

/** Which instructions a workspace holds for agents, by name and hash. What cannot be read is not there for an agent either. */
export const findInstructionFiles = async (
  cwd: string,
): Promise<InstructionFile[]> => {
  const found = await Promise.all(
    instructionFiles.map(async (name) => {
      const sha256 = await hashOf(join(cwd, name)).catch(() => null);
      return sha256 === null ? [] : [{ name, sha256 }];
    }),
  );
  return found.flat();
};

const hashOf = async (path: string): Promise<string | null> => {
  const content = await plainBytes(path, LONGEST, { follow: true });
  return content && createHash("sha256").update(content).digest("hex");
};
