import assert from "node:assert/strict";
import { test } from "node:test";
import type { DirectoryPage } from "../../../../src/contract/session/workspace-file.ts";
import { RepriseError } from "../../../../src/contract/problem/problem.ts";
import { marksOf, NO_MARKS } from "../since/marks.ts";
import { treeAct } from "./tree-keys.ts";
import { treeRows } from "./tree-rows.ts";
import { Tree } from "./tree.ts";

type Kind = DirectoryPage["entries"][number]["kind"];

/** Directories by path, each in pages of names; `/` behind a name: a directory, `@`: a link. */
const workspace = (directories: Record<string, string[][]>) => {
  const asked: string[] = [];
  const listFiles = async (
    _: string,
    path = "",
    { after }: { after?: string } = {},
  ): Promise<DirectoryPage> => {
    asked.push(path);
    const pages = directories[path];
    if (pages === undefined)
      throw new RepriseError("path_not_found", "There is nothing here.");
    const at = Number(after ?? 0);
    return {
      path,
      entries: (pages[at] ?? []).map((name) => ({
        name: name.replace(/[/@]$/, ""),
        kind: kindOf(name),
        size: 1,
        modified_at: "2026-11-18T12:00:00.000Z",
        executable: false,
      })),
      next: at + 1 < pages.length ? String(at + 1) : null,
    };
  };
  return { asked, tree: new Tree({ listFiles }, "ses_1"), directories };
};

const kindOf = (name: string): Kind =>
  name.endsWith("/") ? "directory" : name.endsWith("@") ? "link" : "file";

const words = (tree: Tree, marks = NO_MARKS): string[] =>
  treeRows(tree.get(), marks).map((row) =>
    row.kind === "entry"
      ? `${" ".repeat(row.depth)}${row.name}${row.mark === null ? "" : ` ${row.mark}`}${row.hasChanges ? " *" : ""}`
      : `${" ".repeat(row.depth)}(${row.kind})`,
  );

test("[PAG-113] a directory is listed when it is opened, once, and a page at a time", async () => {
  const { tree, asked } = workspace({
    "": [["src/", "a"], ["b"]],
    src: [["x.ts"]],
  });
  await tree.open("");
  assert.deepEqual(words(tree), ["src", "a", "(more)"]);
  await tree.more("");
  assert.deepEqual(words(tree), ["src", "a", "b"]);
  await tree.open("src");
  tree.close("src");
  await tree.open("src");
  assert.deepEqual(words(tree), ["src", " x.ts", "a", "b"]);
  assert.deepEqual(asked, ["", "", "src"]);
});

test("[PAG-113] changed files have a sign, their directories a dot, and deleted ones stand where they stood", async () => {
  const { tree } = workspace({ "": [["src/", "a", "c"]], src: [["x.ts"]] });
  await tree.open("");
  const marks = marksOf([
    { path: "b", kind: "removed" },
    { path: "c", kind: "modified" },
    { path: "src/x.ts", kind: "added" },
    { path: "gone/file", kind: "removed" },
  ]);
  assert.deepEqual(words(tree, marks), [
    "src *",
    "a",
    "b removed",
    "c modified",
  ]);
  await tree.open("src");
  assert.equal(words(tree, marks)[1], " x.ts added");
});

test("[PAG-113] a path is revealed, a link to a directory is opened as one, and what cannot be listed says so", async () => {
  const { tree } = workspace({
    "": [["a/", "link@", "dead@"]],
    a: [["b/"]],
    "a/b": [["c"]],
    link: [["inside"]],
  });
  assert.equal(await tree.reveal("a/b/c"), false);
  assert.deepEqual(words(tree).slice(0, 3), ["a", " b", "  c"]);
  assert.equal(await tree.reveal("a/b"), true);
  assert.equal(await tree.follow("link"), true);
  assert.ok(words(tree).includes(" inside"));
  assert.equal(await tree.follow("dead"), false);
  await tree.open("nowhere");
  assert.equal(await tree.reveal("nowhere/file"), false);
});

test("[PAG-115] what is open is listed again, as far as it was, and what is gone is forgotten", async () => {
  const { tree, directories } = workspace({
    "": [["d/", "e/"], ["b"]],
    d: [["x"]],
    e: [["y"]],
  });
  await tree.open("");
  await tree.more("");
  await tree.open("d");
  await tree.open("e");
  directories[""] = [["e/"], ["b"], ["c"]];
  delete directories["d"];
  const seen: string[][] = [];
  const end = tree.subscribe(() => seen.push(words(tree)));
  await tree.reload();
  end();
  assert.deepEqual(words(tree), ["e", " y", "b", "c"]);
  // Nothing flashed: something was listed all the time.
  assert.ok(seen.every((rows) => rows.includes("b")));
});

test("[PAG-114] keys move, open, close and choose as in every tree; letters do nothing", async () => {
  const { tree } = workspace({ "": [["a/", "b"], ["z"]], a: [["x"]] });
  await tree.open("");
  const rows = () => treeRows(tree.get(), NO_MARKS);
  assert.deepEqual(treeAct(rows(), 0, "ArrowRight"), {
    kind: "open",
    path: "a",
  });
  await tree.open("a");
  assert.deepEqual(treeAct(rows(), 0, "ArrowRight"), { kind: "focus", row: 1 });
  assert.deepEqual(treeAct(rows(), 1, "ArrowLeft"), { kind: "focus", row: 0 });
  assert.deepEqual(treeAct(rows(), 0, "ArrowLeft"), {
    kind: "close",
    path: "a",
  });
  assert.deepEqual(treeAct(rows(), 1, "ArrowDown"), { kind: "focus", row: 2 });
  assert.deepEqual(treeAct(rows(), 0, "End"), { kind: "focus", row: 3 });
  assert.deepEqual(treeAct(rows(), 2, "Home"), { kind: "focus", row: 0 });
  assert.deepEqual(treeAct(rows(), 2, "Enter"), { kind: "choose", row: 2 });
  assert.equal(treeAct(rows(), 0, "ArrowUp"), null);
  assert.equal(treeAct(rows(), 0, "c"), null);
});
