import { jsonLine } from "./sanitize.ts";
import type { World } from "./world.ts";

/** The answer of a command: one JSON document with `--json`, text for people otherwise. */
export const answer = (
  world: World,
  document: unknown,
  text: () => string,
): void =>
  world.out.write(world.json ? `${jsonLine(document)}\n` : endLine(text()));

const endLine = (text: string): string =>
  text === "" || text.endsWith("\n") ? text : `${text}\n`;
