import { PromptText } from "../../contract/api/request.ts";
import { UsageError } from "../parsing/usage-error.ts";
import type { World } from "../terminal/world.ts";

/** A prompt as it was typed, or all of standard input for `-`: refused here where no server would take it. */
export const promptText = async (
  world: Pick<World, "stdin">,
  argument: string,
): Promise<string> => {
  const text = argument === "-" ? decode(await world.stdin()) : argument;
  const parsed = PromptText.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `The prompt ${parsed.error.issues.map(({ message }) => message).join(" and ")}.`,
  );
};

/** What is not text would reach the agent as something else than what was given. */
const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(
      "Standard input is not text in UTF-8. Convert it first, as with `iconv -f latin1 -t utf-8`.",
    );
  }
};
