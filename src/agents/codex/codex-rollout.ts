import { movedPath } from "../state/moved-path.ts";
import type { Spot } from "../state/one-file-state.ts";
import { isRecord, type Rewrite } from "../state/put-file.ts";

/**
 * Codex writes the thread's id and its directory into headers, settings and contexts, at many depths. They change
 * wherever they stand alone; what was said stays to the byte.
 */
export const rewriteRollout =
  (from: Spot, to: Spot): Rewrite =>
  (record) => {
    if (from.token === to.token && from.cwd === to.cwd) return null;
    if (record["type"] === "response_item") return null;
    const changed = rewriteAll(record, (text) =>
      text === from.token ? to.token : movedPath(text, from.cwd, to.cwd),
    );
    return isRecord(changed) ? changed : null;
  };

const SAID = new Set(["content", "item", "message", "text", "output"]);

const rewriteAll = (
  value: unknown,
  change: (text: string) => string,
): unknown => {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value))
    return value.map((each: unknown) => rewriteAll(each, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      SAID.has(key) ? each : rewriteAll(each, change),
    ]),
  );
};
