/** The rules of the house in `web/`. */
import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { checkFolders } from "./check-folders.ts";
import { checkCycles, type Violation } from "./check-imports.ts";
import { checkNames } from "./check-names.ts";
import { checkPage } from "./check-page.ts";
import { readTree, treeWith } from "./tree.ts";

const root = resolve(import.meta.dirname, "../..");
const tree = await readTree(root, ["web", "src"]);
const web = new Map([...tree].filter(([path]) => path.startsWith("web/")));
const styles = new Set<string>();
for await (const path of glob("web/src/**/*.css", { cwd: root }))
  styles.add(path);

const words = (violations: readonly Violation[]): string[] =>
  violations.map(({ file, what }) => `${file}: ${what}`);

test("the page imports what it may: the client, the contract, and how a conversation and a line are folded", () => {
  assert.ok(web.size > 0);
  assert.deepEqual(words(checkPage(tree, styles)), []);
});

test("no files of the page import each other in a ring", () => {
  assert.deepEqual(words(checkCycles(web)), []);
});

test("the page's files are short, their names say what is inside, and no folder is a pile", () => {
  assert.deepEqual(words([...checkNames(web), ...checkFolders(web)]), []);
});

test("every style sheet is used, by one that lies beside it or by the start of the page", () => {
  const used = new Set(
    [...web.values()].flatMap(({ edges }) =>
      edges.flatMap(({ target }) =>
        target.kind === "file" ? [target.path] : [],
      ),
    ),
  );
  assert.deepEqual(
    [...styles].filter((path) => !used.has(path)),
    [],
  );
});

test("nothing in the page puts text into the document as HTML", async () => {
  for await (const file of glob("web/src/**/*.{ts,tsx}", { cwd: root }))
    assert.doesNotMatch(
      await readFile(join(root, file), "utf8"),
      /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/,
      file,
    );
});

for (const [fault, source] of [
  ["a room of the server", `import "../../../src/server/app.ts";\n`],
  ["the core's decisions", `import "../../../src/session/decide/decide.ts";\n`],
  ["a module of Node", `import "node:fs";\n`],
  ["a package that is not the page's", `import "hono";\n`],
  ["a test's means", `import "../fixtures/samples.ts";\n`],
  ["a style sheet that is not there", `import "./nowhere.module.css";\n`],
] as const)
  test(`${fault} is found where the page imports it`, () => {
    const path = "web/src/kit/planted.ts";
    const planted = treeWith(tree, [{ path, source }]);
    const found = checkPage(planted, styles).map(({ file }) => file);
    assert.deepEqual(found, [path]);
  });
