/** A unified diff as files with rows. What git and Reprise write is understood; what is not understood is left out, not guessed. */
export type RowKind = "same" | "added" | "removed" | "gap" | "note";

/** A piece of a line; `changed` where only part of the line is. */
export interface Piece {
  text: string;
  changed: boolean;
}

export interface DiffRow {
  kind: RowKind;
  /** Numbers of the line on both sides; null where there is none. */
  old: number | null;
  now: number | null;
  text: string;
  pieces?: readonly Piece[];
}

export interface DiffFile {
  path: string;
  /** Where it was before, if that was elsewhere. */
  from: string | null;
  kind: "added" | "removed" | "modified";
  added: number;
  removed: number;
  rows: DiffRow[];
}

export const parseDiff = (text: string): DiffFile[] => {
  const files: DiffFile[] = [];
  let file: DiffFile | null = null;
  let before: string | null = null;
  /** Lines that the hunk still has, on both sides. */
  let left = { old: 0, now: 0 };
  let at = { old: 0, now: 0 };
  const open = (path: string, from: string | null): DiffFile => {
    const opened: DiffFile = {
      path,
      from: from === path ? null : from,
      kind: "modified",
      added: 0,
      removed: 0,
      rows: [],
    };
    files.push(opened);
    return opened;
  };
  for (const line of text.split("\n")) {
    if (file !== null && (left.old > 0 || left.now > 0)) {
      const kind = kindOf(line);
      if (kind === "note") {
        file.rows.push({ kind, old: null, now: null, text: line.slice(2) });
        continue;
      }
      const row = {
        kind,
        old: kind === "added" ? null : at.old,
        now: kind === "removed" ? null : at.now,
        text: line.slice(1),
      };
      file.rows.push(row);
      if (kind !== "added") [at.old, left.old] = [at.old + 1, left.old - 1];
      if (kind !== "removed") [at.now, left.now] = [at.now + 1, left.now - 1];
      if (kind === "added") file.added += 1;
      if (kind === "removed") file.removed += 1;
      continue;
    }
    const hunk = HUNK.exec(line);
    if (hunk !== null && file !== null) {
      const [, old = "0", olds = "1", now = "0", nows = "1", near = ""] = hunk;
      if (file.rows.length > 0 || Number(old) > 1)
        file.rows.push({
          kind: "gap",
          old: null,
          now: null,
          text: near.trim(),
        });
      at = { old: Number(old), now: Number(now) };
      left = { old: Number(olds), now: Number(nows) };
    } else if (line.startsWith("diff --git ")) {
      const [, from = "", path = ""] =
        /^diff --git "?a\/(.*?)"? "?b\/(.*?)"?$/.exec(line) ?? [];
      file = open(path, from);
      before = null;
    } else if (line.startsWith("--- ")) {
      before = nameIn(line);
      // Without a line of git before it, a file begins here.
      if (file !== null && file.rows.length > 0) file = null;
    } else if (line.startsWith("+++ ")) {
      const now = nameIn(line);
      const path = now ?? before ?? "";
      file ??= open(path, null);
      file.path = path;
      if (before === null) file.kind = "added";
      if (now === null) file.kind = "removed";
    } else if (file !== null && line.startsWith("new file"))
      file.kind = "added";
    else if (file !== null && line.startsWith("deleted file"))
      file.kind = "removed";
    else if (file !== null && line.startsWith("Binary files"))
      file.rows.push({
        kind: "note",
        old: null,
        now: null,
        text: "Binary file",
      });
    else if (file !== null && line.startsWith("\\ "))
      file.rows.push({
        kind: "note",
        old: null,
        now: null,
        text: line.slice(2),
      });
  }
  return files;
};

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;

const kindOf = (line: string): RowKind => {
  switch (line[0]) {
    case "+":
      return "added";
    case "-":
      return "removed";
    case "\\":
      return "note";
    default:
      return "same";
  }
};

/** `--- a/src/x.ts` → `src/x.ts`; null for `/dev/null`. */
const nameIn = (line: string): string | null => {
  const [name = ""] = line.slice(4).split("\t");
  if (name === "/dev/null") return null;
  const bare =
    name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
  return /^[ab]\//.test(bare) ? bare.slice(2) : bare;
};
