import type { World } from "./world.ts";

/** A prompt as it was typed, or all of standard input for `-`. */
export const promptText = async (
  world: Pick<World, "stdin">,
  given: string,
): Promise<string> => (given === "-" ? await world.stdin() : given);
