/** Two texts as `diff -u` tells them apart, so that `patch` understands it. */
import { type Edit, lineDiff, linesOf } from "./line-diff.ts";

const CONTEXT = 3;

/** Empty when the texts are equal. A name of null says that there is no such file on that side. */
export const unifiedDiff = (
  old: { name: string | null; text: string },
  now: { name: string | null; text: string },
  maxEdits?: number,
): string => {
  if (old.text === now.text) return "";
  const edits = lineDiff(linesOf(old.text), linesOf(now.text), maxEdits);
  return [
    `--- ${old.name ?? "/dev/null"}\n`,
    `+++ ${now.name ?? "/dev/null"}\n`,
    ...hunks(edits).map(hunkText),
  ].join("");
};

interface Hunk {
  /** Lines before it, on both sides. */
  old: number;
  now: number;
  edits: Edit[];
}

/** Changes with what is around them; those that are near each other are told together. */
const hunks = (edits: readonly Edit[]): Hunk[] => {
  const found: Hunk[] = [];
  let [old, now, quiet] = [0, 0, 0];
  let open: Hunk | null = null;
  for (const [index, edit] of edits.entries()) {
    quiet = edit.kind === "same" ? quiet + 1 : 0;
    if (open === null && quiet === 0) {
      const before = edits.slice(Math.max(0, index - CONTEXT), index);
      open = {
        old: old - before.length,
        now: now - before.length,
        edits: before,
      };
      found.push(open);
    }
    open?.edits.push(edit);
    if (edit.kind !== "added") old += 1;
    if (edit.kind !== "removed") now += 1;
    if (open !== null && quiet > 2 * CONTEXT) {
      open.edits.splice(open.edits.length - quiet + CONTEXT);
      open = null;
    }
  }
  if (open !== null && quiet > CONTEXT)
    open.edits.splice(open.edits.length - quiet + CONTEXT);
  return found;
};

const hunkText = ({ old, now, edits }: Hunk): string => {
  const removed = edits.filter(({ kind }) => kind !== "added").length;
  const added = edits.filter(({ kind }) => kind !== "removed").length;
  return [
    `@@ -${rangeOf(old, removed)} +${rangeOf(now, added)} @@\n`,
    ...edits.map(editText),
  ].join("");
};

/** Lines are counted from one; an empty range names the line before it. */
const rangeOf = (before: number, count: number): string => {
  const first = count === 0 ? before : before + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
};

const SIGN = { same: " ", removed: "-", added: "+" } as const;

const editText = ({ kind, line }: Edit): string =>
  line.endsWith("\n")
    ? `${SIGN[kind]}${line}`
    : `${SIGN[kind]}${line}\n\\ No newline at end of file\n`;
