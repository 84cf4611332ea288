/** Modules keep nothing but what is on the list. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { checkModuleState } from "./check-module-state.ts";
import { plant } from "./plant.ts";
import { readTree, treeWith } from "./tree.ts";

const root = resolve(import.meta.dirname, "../..");

const wrongsIn = async (path: string, source: string): Promise<string[]> => {
  const copy = await mkdtemp(join(tmpdir(), "module-state-"));
  try {
    const planted = { path, source };
    await plant(copy, planted);
    const found = await checkModuleState(copy, treeWith(new Map(), [planted]));
    return found.map(({ what }) => what.split(" ")[0] ?? "");
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
};

test("no module keeps state that is not on the list", async () => {
  const sources = await readTree(root, ["src"]);
  assert.deepEqual(await checkModuleState(root, sources), []);
});

for (const [fault, source] of Object.entries({
  "a variable": "let planted = 0;\nexport const next = () => ++planted;",
  "an exported variable": "export let planted: number | null = null;",
  "a map": "const planted = new Map<string, { a: number }>();",
  "a map with a type": "const planted: Map<string, () => void> = new Map();",
  "a weak set": "export const planted = new WeakSet();",
  "a list": "const planted: string[] = [];",
  "a set that is filled at first and grows":
    "const planted = new Set([1]);\nexport const add = () => planted.add(2);",
  "a list that grows":
    "const planted = [1];\nexport const add = () => { planted.push(2); };",
}))
  test(`${fault} of a module is found`, async () => {
    assert.deepEqual(await wrongsIn("src/kit/planted.ts", `${source}\n`), [
      "planted",
    ]);
  });

test("what nobody changes, and what a function makes, is no state", async () => {
  const source = `
    const NONE: readonly string[] = [];
    const EMPTY: ReadonlyMap<string, number> = new Map();
    const WORDS = new Set(["a", "b"]);
    const table = { a: 1, b: [2] };
    export const make = () => { let n = 0; const seen = new Set(); return { n, seen }; };
    export class Counter { #n = new Map(); }
    const text = \`\${[1].map((x) => { let y = x; return y; })}\`;
  `;
  assert.deepEqual(await wrongsIn("src/kit/planted.ts", source), []);
});

test("an entry of the list that is gone is found", async () => {
  const wrongs = await wrongsIn("src/kit/c-library.ts", "export {};\n");
  assert.deepEqual(wrongs, ["loaded"]);
});
