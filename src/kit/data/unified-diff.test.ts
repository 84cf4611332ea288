import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { lineDiff } from "./line-diff.ts";
import { unifiedDiff } from "./unified-diff.ts";

const file = (text: string) => ({ name: "a", text });

test("[CPT-11] a text diff shows what went, what came and three lines around", () => {
  const old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  assert.equal(
    unifiedDiff(file(old), { name: "b", text: old.replace("5", "five") }),
    "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
  );
  assert.equal(unifiedDiff(file(old), file(old)), "");
});

test("[CPT-11] a file that comes or goes, and a last line without its newline, are told", () => {
  assert.equal(
    unifiedDiff({ name: null, text: "" }, file("x\n")),
    "--- /dev/null\n+++ a\n@@ -0,0 +1 @@\n+x\n",
  );
  assert.equal(
    unifiedDiff(file("x\n"), file("x")),
    "--- a\n+++ a\n@@ -1 +1 @@\n-x\n+x\n\\ No newline at end of file\n",
  );
});

const lines = fc
  .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 40 })
  .map((all) => all.join("\n"));

test("[CPT-11] what a diff keeps and removes is the old text, what it keeps and adds the new one", () => {
  fc.assert(
    fc.property(lines, lines, fc.nat(10), (old, now, most) => {
      const edits = lineDiff(old.split("\n"), now.split("\n"), most);
      const without = (kind: string) =>
        edits.filter((edit) => edit.kind !== kind).map(({ line }) => line);
      assert.deepEqual(without("added"), old.split("\n"));
      assert.deepEqual(without("removed"), now.split("\n"));
    }),
  );
});

test("[CPT-11] git makes the new text of the old one and the diff", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "diff-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "a");
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      fc.pre(old !== now && old !== "" && now !== "");
      writeFileSync(path, old);
      execFileSync("git", ["apply", "-p0", "-"], {
        cwd: directory,
        input: unifiedDiff(file(old), file(now)),
      });
      assert.equal(readFileSync(path, "utf8"), now);
    }),
    { numRuns: 30 },
  );
});
