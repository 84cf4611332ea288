import { access, constants } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { homeOf } from "../../local/home.ts";
import type { World } from "../terminal/world.ts";
import type { Reach } from "./clients.ts";

type StdioReach = Extract<Reach, { kind: "stdio" }>;

/** How another program starts this one: by its path, because it may have another PATH than the person's shell. */
export const ownProgram = async (
  world: Pick<World, "env" | "cwd" | "programs">,
): Promise<StdioReach> => {
  const { executable } = world.programs;
  const home = homeOf(world);
  const args =
    home === join(homedir(), ".reprise") ? ["mcp"] : ["mcp", "--home", home];
  // What npx downloaded may be gone tomorrow, and is found again by the same words.
  return executable.includes("/_npx/")
    ? { kind: "stdio", command: "npx", args: ["-y", "reprise", ...args] }
    : { kind: "stdio", command: executable, args };
};

/** Whether the program of an entry is still there to be started; one without a path is looked for by whoever starts it. */
export const isStartable = (command: string): Promise<boolean> =>
  command.includes("/")
    ? access(command, constants.X_OK).then(
        () => true,
        () => false,
      )
    : Promise.resolve(true);
