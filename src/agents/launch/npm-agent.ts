import type { Launch, Where } from "./launch.ts";
import { locateProgram, type Program } from "./program.ts";

/** How an agent that npm brings is started: its program, and what it gets to see. */
export const locating =
  (
    program: Program,
    environment: Pick<Launch, "defaults" | "unset" | "files">,
  ) =>
  async (where: Where): Promise<Launch | null> => {
    const located = await locateProgram(program, where);
    return located && { ...located, env: {}, ...environment };
  };
