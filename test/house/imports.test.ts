import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { importsOf } from "./imports.ts";
import { readTree } from "./tree.ts";

const root = resolve(import.meta.dirname, "../..");

const seen = (source: string): string[] =>
  importsOf(source).map(
    ({ specifier, form, typeOnly }) =>
      `${form}${typeOnly ? " type" : ""} ${specifier ?? "?"}`,
  );

test("sees every form of import", () => {
  const cases: [source: string, ...expected: string[]][] = [
    [`import "a";`, "import a"],
    [`import a from 'a'`, "import a"],
    [`import a, { b as c } from "a"`, "import a"],
    [`import * as a from "a"`, "import a"],
    [`import {\n  a, // from "x"\n  b,\n} from "a"`, "import a"],
    [`import a from "a" with { type: "json" }`, "import a"],
    [`import type { A } from "a"`, "import type a"],
    [`import type A from "a"`, "import type a"],
    [`import type from "a"`, "import a"],
    [`import type, { b } from "a"`, "import a"],
    [`import { type A } from "a"`, "import a"],
    [`export * from "a"`, "export a"],
    [`export * as a from "a"`, "export a"],
    [`export { a } from "a"`, "export a"],
    [`export type { A } from "a"`, "export type a"],
    [`export type * from "a"`, "export type a"],
    [`await import("a")`, "dynamic a"],
    ["await import(`a`)", "dynamic a"],
    [`import("a" + b)`, "dynamic ?"],
    ["import(`${a}`)", "dynamic ?"],
    [`import /* x */ ( /* y */ "a")`, "dynamic a"],
    [`require("a")`, "require a"],
    [`createRequire(import.meta.url)`, "require ?"],
    ['`${await import("a")}`', "dynamic a"],
    ["`${`${import('a')}`}`", "dynamic a"],
    [`const x = /["'\`]/; import("a")`, "dynamic a"],
    [`x = a / b; import("c"); d / e`, "dynamic c"],
    [`#!/usr/bin/env "node\nimport "a"`, "import a"],
    [`import "a\\u002fb"`, "import au002fb"],
  ];
  for (const [source, ...expected] of cases)
    assert.deepEqual(seen(source), expected, source);
});

test("sees none where there is none", () => {
  for (const source of [
    `// import "a"`,
    `/* import("a") */`,
    `const a = 'import "a"'`,
    "const a = `import('a')`",
    `const a = /import("a")/`,
    `export const a = { from: "a" }`,
    `export { a }; const from = "a";`,
    `export type A = { from: "a" };`,
    `import.meta.url`,
    `const a = { import: "a" }`,
    `a.import("b")`,
    `a.require("b")`,
  ])
    assert.deepEqual(seen(source), [], source);
});

test("sees at least what a real parser sees in every file of ours", async () => {
  const tree = await readTree(root, ["src", "scripts", "test"]);
  const { metafile } = await build({
    absWorkingDir: root,
    // One program of all files: each on its own would take in everything that it uses.
    stdin: {
      contents: [...tree.keys()].map((path) => `import "./${path}";`).join(""),
      resolveDir: root,
    },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outdir: "out",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  let compared = 0;
  for (const [path, input] of Object.entries(metafile.inputs)) {
    if (path === "<stdin>") continue;
    const ours = new Set(
      importsOf(await readFile(join(root, path), "utf8")).map(
        ({ specifier }) => specifier,
      ),
    );
    for (const { original, path: resolved } of input.imports) {
      assert.ok(ours.has(original ?? resolved), `${path}: ${resolved}`);
      compared += 1;
    }
  }
  assert.ok(compared > 100, `only ${compared} imports compared`);
});
