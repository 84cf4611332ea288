import assert from "node:assert/strict";
import { test } from "node:test";
import { patience } from "../../../src/kit/fixtures/patience.ts";
import { allFiles, byDirectory, readFiles } from "./files.ts";
import { parseDiff } from "./parse.ts";
import { readDiff } from "./read.ts";

const git = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -18,3 +18,4 @@ export const backoff
 one
-  return Math.min(first, most);
+  const ceiling = Math.min(first, most);
+  return ceiling;
 };
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+--- hostile
\\ No newline at end of file
diff --git a/old name.bin b/new name.bin
Binary files a/old name.bin and b/new name.bin differ
`;

test("[PAG-77] a unified diff becomes files with numbered rows", () => {
  const [changed, added, binary] = parseDiff(git);
  assert.equal(changed?.path, "src/a.ts");
  assert.deepEqual([changed?.added, changed?.removed], [2, 1]);
  assert.deepEqual(
    changed?.rows.map(({ kind, old, now }) => [kind, old, now]),
    [
      ["gap", null, null],
      ["same", 18, 18],
      ["removed", 19, null],
      ["added", null, 19],
      ["added", null, 20],
      ["same", 20, 21],
    ],
  );
  assert.deepEqual([added?.path, added?.kind], ["new.txt", "added"]);
  // A line of the file that looks like a header is a line of the file.
  assert.equal(added?.rows[0]?.text, "--- hostile");
  assert.equal(added?.rows[1]?.kind, "note");
  assert.deepEqual(
    [binary?.path, binary?.from],
    ["new name.bin", "old name.bin"],
  );
});

test("[PAG-77] files without a line of git before them are told apart", () => {
  const files = parseDiff(
    "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n",
  );
  assert.deepEqual(
    files.map(({ path, kind }) => [path, kind]),
    [
      ["x", "modified"],
      ["y", "removed"],
    ],
  );
});

test("[PAG-77] texts that are no diff make no rows", () => {
  for (const text of ["", "hello", "@@ -1 +1 @@\n+a", "+++ b", "\u0000"])
    assert.deepEqual(
      parseDiff(text).flatMap(({ rows }) => rows),
      [],
    );
});

test("[PAG-77] of lines that were replaced one by one, the changed words are marked", () => {
  const [file] = readDiff({
    kind: "texts",
    files: [
      { path: "a", old_text: "let a = 1;\nx", new_text: "let a = 2;\nx" },
    ],
  });
  const changed = file?.rows
    .flatMap(({ pieces = [] }) => pieces)
    .filter((piece) => piece.changed)
    .map(({ text }) => text);
  assert.deepEqual(changed, ["1", "2"]);
});

test("[PAG-77] long lines and texts that have nothing in common are compared quickly", () => {
  const began = performance.now();
  const [file] = readDiff({
    kind: "texts",
    files: [
      {
        path: "a",
        old_text: Array.from({ length: 20_000 }, (_, at) => `a${at}`).join(
          "\n",
        ),
        new_text: Array.from({ length: 20_000 }, (_, at) => `b${at}`).join(
          "\n",
        ),
      },
      {
        path: "b",
        old_text: "a ".repeat(500_000),
        new_text: "b ".repeat(500_000),
      },
    ],
  });
  assert.equal(file?.added, 20_000);
  assert.ok(performance.now() - began < patience(10_000));
});

test("[PAG-77] files without text are named, and files stand under their directories", () => {
  const files = allFiles(
    {
      changes: [
        { path: "src/a.ts", kind: "modified" },
        { path: "logo.png", kind: "added" },
      ],
    },
    parseDiff(git),
  );
  assert.deepEqual(
    byDirectory(files).map(({ directory, files }) => [
      directory,
      files.map(({ path }) => path),
    ]),
    [
      ["", ["logo.png", "new name.bin", "new.txt"]],
      ["src", ["src/a.ts"]],
    ],
  );
});

test("[PAG-305] files that git keeps for itself count as no changed files", () => {
  const files = readFiles(
    {
      changes: [
        { path: ".git", kind: "added" },
        { path: ".git/objects/1f/22", kind: "added" },
        { path: "lib/.git/HEAD", kind: "modified" },
        { path: ".gitignore", kind: "modified" },
      ],
    },
    [],
  );
  assert.deepEqual(
    files.map(({ path }) => path),
    [".gitignore"],
  );
});
