import type { Change } from "../../../checkpoint/trees/change.ts";
import type { Vault } from "../../../checkpoint/vault.ts";
import { unifiedDiff } from "../../../kit/data/unified-diff.ts";
import { textIn } from "../../../kit/data/text-in.ts";
import { isGits } from "../../../contract/session/is-gits.ts";

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_TEXT = 4 * 1024 * 1024;

/** Changes as unified text. Files that are no text, or too large to show, are named. */
export const textOfChanges = async (
  vault: Vault,
  from: string | null,
  to: string | null,
  changes: readonly Change[],
): Promise<{ text: string; truncated: boolean }> => {
  let text = "";
  for (const change of changes) {
    if (change.entry === "directory" || !BODILY.has(change.kind)) continue;
    if (isGits(change.path)) continue;
    if (text.length > MAX_TEXT) return { text, truncated: true };
    text += await textOf(vault, from, to, change);
  }
  return { text, truncated: false };
};

const BODILY: ReadonlySet<string> = new Set([
  "added",
  "removed",
  "modified",
  "type",
]);

const textOf = async (
  vault: Vault,
  from: string | null,
  to: string | null,
  { path, size_before, size_after }: Change,
): Promise<string> => {
  const old = size_before === null ? null : quoted(`a/${path}`);
  const now = size_after === null ? null : quoted(`b/${path}`);
  const names = `${old ?? "/dev/null"} and ${now ?? "/dev/null"}`;
  // Neither is a file: a link that leads elsewhere, say.
  if (old === null && now === null) return "";
  if (Math.max(size_before ?? 0, size_after ?? 0) > MAX_FILE_BYTES)
    return `Files ${names} differ, and are too large to show\n`;
  const read = async (tree: string | null, size: number | null) =>
    tree === null || size === null
      ? ""
      : textIn(await vault.read(tree, path, MAX_FILE_BYTES));
  const before = await read(from, size_before);
  const after = await read(to, size_after);
  if (before === null || after === null)
    return `Binary files ${names} differ\n`;
  const diff = unifiedDiff(
    { name: old, text: before },
    { name: now, text: after },
  );
  return diff === "" ? emptyFile(old, now) : diff;
};

/** An empty file that comes or goes has no lines to show. */
const emptyFile = (old: string | null, now: string | null): string =>
  `--- ${old ?? "/dev/null"}\n+++ ${now ?? "/dev/null"}\n`;

/** A name that would break its line is written as JSON writes it. */
const quoted = (name: string): string =>
  /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
