/** What is asked of the worker of diffs: the rows of a unified diff, or of two texts. */
import { structuredPatch } from "diff";
import { type DiffFile, parseDiff } from "./parse.ts";
import { withWords } from "./words.ts";

export type DiffRequest =
  | { kind: "unified"; text: string }
  | {
      kind: "texts";
      files: readonly {
        path: string;
        old_text: string | null;
        new_text: string;
      }[];
    };

/** Texts that differ in more lines are not compared line by line: all of the old one is removed, all of the new one added. */
const MAX_EDITS = 1_000;

export const readDiff = (request: DiffRequest): DiffFile[] =>
  (request.kind === "unified"
    ? parseDiff(request.text)
    : request.files.map(comparedTexts)
  ).map(withWords);

const comparedTexts = (
  file: Extract<DiffRequest, { kind: "texts" }>["files"][number],
): DiffFile => {
  const { path, old_text, new_text } = file;
  const old = old_text ?? "";
  const patch = structuredPatch(path, path, old, new_text, "", "", {
    context: 3,
    maxEditLength: MAX_EDITS,
  });
  const kind = old_text === null ? "added" : "modified";
  if (patch === undefined) return replaced(path, old, new_text);
  const [compared] = parseDiff(
    [
      `--- ${path}`,
      `+++ ${path}`,
      ...patch.hunks.flatMap((hunk) => [
        `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
        ...hunk.lines,
      ]),
    ].join("\n"),
  );
  return {
    path,
    from: null,
    added: compared?.added ?? 0,
    removed: compared?.removed ?? 0,
    rows: compared?.rows ?? [],
    kind,
  };
};

const replaced = (path: string, old: string, now: string): DiffFile => {
  const before = old.split("\n");
  const after = now.split("\n");
  return {
    path,
    from: null,
    kind: "modified",
    added: after.length,
    removed: before.length,
    rows: [
      ...before.map((text, at) => ({
        kind: "removed" as const,
        old: at + 1,
        now: null,
        text,
      })),
      ...after.map((text, at) => ({
        kind: "added" as const,
        old: null,
        now: at + 1,
        text,
      })),
    ],
  };
};
