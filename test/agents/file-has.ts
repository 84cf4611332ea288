import { once } from "node:events";
import { readFileSync, watch } from "node:fs";

/** Resolves with what the pattern captures (or matches) as soon as the file's text has it. The file must exist. */
export const fileHas = async (
  file: string,
  pattern: RegExp,
): Promise<string> => {
  const watcher = watch(file);
  try {
    for (;;) {
      const changed = once(watcher, "change");
      const found = pattern.exec(readFileSync(file, "utf8"));
      if (found) return found[1] ?? found[0];
      await changed;
    }
  } finally {
    watcher.close();
  }
};
