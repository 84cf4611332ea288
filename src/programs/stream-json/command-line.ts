import { amp } from "./amp.ts";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import type { Dialect } from "./dialect/dialect.ts";

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["claude", claude],
  ["codex", codex],
  ["amp", amp],
]);

/** `--dialect NAME -- COMMAND…`, or null when it is something else. */
export const commandLine = (
  words: readonly string[],
): { dialect: Dialect; command: string[] } | null => {
  const [flag, name = "", dashes, ...command] = words;
  const dialect = dialects.get(name);
  if (flag !== "--dialect" || dashes !== "--") return null;
  if (dialect === undefined || command.length === 0) return null;
  return { dialect, command };
};
