/** The rules of the house that a program can check, each shown to fail when it is broken. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, glob, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { findTests } from "../scripts/test/find-tests.ts";
import { checkDependencies } from "./house/check-documents.ts";
import { checkInstallScripts } from "./house/check-install-scripts.ts";
import {
  checkBrowserSafe,
  checkCycles,
  checkImports,
  type Violation,
} from "./house/check-imports.ts";
import { checkCommits } from "./house/check-commits.ts";
import { checkNames } from "./house/check-names.ts";
import { checkNpmScripts } from "./house/check-npm-scripts.ts";
import { forbiddenPlantings, plant } from "./house/plant.ts";
import { readTree, type Tree, treeWith } from "./house/tree.ts";

const root = resolve(import.meta.dirname, "..");
const sources = await readTree(root, ["src"]);
const everything = await readTree(root, ["src", "test", "scripts", "bench"]);

const pureRooms = ["src/contract", "src/session", "src/task"];
const writingRooms = [
  "src/agentctl",
  "src/agents",
  "src/checkpoint",
  "src/executors",
  "src/journal",
  "src/kit",
  "src/runtime",
  "src/server",
  "src/store",
  "src/streams",
];

const words = (violations: readonly Violation[]): string[] =>
  violations.map(({ file, what }) => `${file}: ${what}`);

describe("the house as it stands", () => {
  test("every import is one that the table of rooms allows", () => {
    assert.ok(sources.size > 0);
    assert.deepEqual(words(checkImports(sources)), []);
  });

  test("what runs in a browser reaches nothing of Node", () => {
    assert.deepEqual(words(checkBrowserSafe(sources)), []);
  });

  test("no files import each other in a ring", () => {
    assert.deepEqual(words(checkCycles(everything)), []);
  });

  test("the pure rooms have no clock, no chance and no I/O", async () => {
    assert.deepEqual(await restrictions(root, pureRooms), []);
  });

  test("what acknowledgements rest on is written and sent where crash points stand", async () => {
    const places = [...writingRooms, "src/serve.ts"];
    assert.deepEqual(await restrictions(root, places), []);
    assert.deepEqual(words(await checkCommits(root, sources)), []);
  });

  test("files are short and their names say what is inside", () => {
    assert.deepEqual(words(checkNames(everything)), []);
  });

  test("the runner finds every test, and every suite is run by one", async () => {
    const found = (await findTests(root)).map((file) => relative(root, file));
    const written: string[] = [];
    for await (const file of glob("**/*.test.*", {
      cwd: root,
      exclude: ["**/node_modules/**", "dist/**"],
    }))
      written.push(file);
    assert.deepEqual(written.sort(), found.sort());
    assert.deepEqual(suitesNobodyRuns(everything), []);
  });

  test("every dependency has its reason", async () => {
    assert.deepEqual(words(await checkDependencies(root)), []);
  });

  test("no dependency runs a script when it is installed", async () => {
    assert.deepEqual(words(await checkInstallScripts(root)), []);
  });

  test("[PKG-6] the scripts of npm run on the pinned Node", async () => {
    assert.deepEqual(words(await checkNpmScripts(root)), []);
  });
});

describe("the house with a fault planted in it", () => {
  let copy = "";
  before(async () => {
    copy = await mkdtemp(join(tmpdir(), "house-"));
  });
  after(() => rm(copy, { recursive: true, force: true }));

  test("every forbidden edge is found, in every form and from any depth", () => {
    const plantings = forbiddenPlantings(sources);
    assert.ok(plantings.length > 500, `only ${plantings.length} plantings`);
    const found = checkImports(treeWith(sources, plantings));
    const blamed = new Set(found.map(({ file }) => file));
    const missed = plantings.filter(({ path }) => !blamed.has(path));
    assert.deepEqual(missed, []);
    const standing = found.filter(({ file }) => sources.has(file));
    assert.deepEqual(words(standing), words(checkImports(sources)));
  });

  const importFaults: Record<string, { path: string; source: string }> = {
    "a package that is not the room's": {
      path: "src/session/planted.ts",
      source: `import { z } from "zod";\nvoid z;\n`,
    },
    "the package by its own name": {
      path: "src/store/planted.ts",
      source: `export * from "reprise/client";\n`,
    },
    "a computed import": {
      path: "src/store/planted.ts",
      source: `export const load = (name: string) => import(name);\n`,
    },
    "an import out of the tree and back": {
      path: "src/kit/planted.ts",
      source: `import "../../src/contract/base/id.ts";\n`,
    },
    "an import by URL": {
      path: "src/kit/planted.ts",
      source: `import "file:///x.ts";\n`,
    },
    "require()": {
      path: "src/kit/planted.ts",
      source: `export const id = require("../contract/base/id.ts");\n`,
    },
    "a require made by hand": {
      path: "src/kit/planted.ts",
      source: `import { createRequire } from "node:module";\nexport const r = createRequire(import.meta.url);\n`,
    },
    "a module of Node in the contract": {
      path: "src/contract/planted.ts",
      source: `import { readFile } from "node:fs";\nvoid readFile;\n`,
    },
    "the use of a test's means": {
      path: "src/kit/planted.ts",
      source: `import "./fixtures/planted.ts";\n`,
    },
    "a session in the engine of journals": {
      path: "src/journal/planted.ts",
      source: `import type { State } from "../session/state/state.ts";\nexport type S = State;\n`,
    },
    "the runtime behind the engine of journals": {
      path: "src/journal/planted.ts",
      source: `export * from "../runtime/sessions/session-journal.ts";\n`,
    },
    "a room that nobody has drawn": {
      path: "src/attic/planted.ts",
      source: `export const box = 1;\n`,
    },
  };
  for (const [fault, planting] of Object.entries(importFaults))
    test(`${fault} is found`, () => {
      const found = checkImports(treeWith(sources, [planting]));
      assert.ok(found.some(({ file }) => file === planting.path));
    });

  test("a module of Node behind a permitted file is found", () => {
    const planted = treeWith(sources, [
      {
        path: "src/kit/unreachable.ts",
        source: `export { unreachable } from "./planted.ts";\n`,
      },
      {
        path: "src/kit/planted.ts",
        source: `import "node:fs";\nexport const unreachable = 1;\n`,
      },
    ]);
    const found = checkBrowserSafe(planted);
    assert.ok(found.some(({ file }) => file.startsWith("src/session/")));
  });

  test("a ring of three files is found", () => {
    const ring = ["one", "two", "three"].map((name, at, names) => ({
      path: `src/kit/${name}.ts`,
      source: `import type {} from "./${names[(at + 1) % 3]}.ts";\n`,
    }));
    const found = checkCycles(treeWith(sources, ring));
    assert.ok(found.some(({ file }) => file === "src/kit/one.ts"));
  });

  test("clock, chance and I/O in a pure room are found", async () => {
    const impure = {
      "new-date": "export const at = new Date();",
      "date-now": "export const at = Date.now();",
      random: "export const chance = Math.random();",
      timer: "setTimeout(() => {}, 1);",
      global: "export const at = globalThis.performance.now();",
      process: "export const home = process.env;",
      console: "console.log(1);",
      fetch: "export const page = fetch;",
      import: `import { readFile } from "node:fs";\nvoid readFile;`,
      dynamic: `export const load = () => import("node:fs");`,
    };
    await assertRestricted(pureRooms, impure);
  });

  test("raw writes, flushes and sends are found", async () => {
    await assertRestricted(writingRooms, {
      named: `import { writeFile } from "node:fs/promises";\nvoid writeFile;`,
      renamed: `import { rename as move } from "node:fs/promises";\nvoid move;`,
      flush: `import { fdatasyncSync } from "node:fs";\nvoid fdatasyncSync;`,
      all: `import * as fs from "node:fs";\nvoid fs;`,
      default: `import fs from "node:fs";\nvoid fs;`,
      promises: `import { promises } from "node:fs";\nvoid promises;`,
      exported: `export { appendFile } from "node:fs/promises";`,
      handle: `import { open } from "node:fs/promises";\nawait (await open("x")).writeFile("y");`,
      sync: `import { open } from "node:fs/promises";\nawait (await open("x")).sync();`,
      socket: `import { connect } from "node:net";\nconnect("x").write("y");`,
      computed: `import { connect } from "node:net";\nconnect("x")["write"]("y");`,
      destructured: `import { connect } from "node:net";\nexport const { write } = connect("x");`,
      frame: `import { WebSocket } from "ws";\nnew WebSocket("x").send("y");`,
    });
  });

  test("a commit beside the one function that commits is found", async () => {
    const faults = {
      exec: `db.exec("COMMIT");`,
      prepare: `db.prepare("commit");`,
      end: `db.exec("END TRANSACTION");`,
      late: `db.exec(\`INSERT INTO x VALUES (1); COMMIT;\`);`,
    };
    for (const [name, source] of Object.entries(faults)) {
      const path = `src/store/sqlite/planted-${name}.ts`;
      await plant(copy, { path, source });
      const planted = treeWith(new Map(), [{ path, source }]);
      const found = await checkCommits(copy, planted);
      assert.ok(
        found.some(({ file }) => file === path),
        path,
      );
    }
  });

  const assertRestricted = async (
    places: readonly string[],
    faults: Record<string, string>,
  ): Promise<void> => {
    const planted = places.flatMap((place) =>
      Object.entries(faults).map(([name, source]) => ({
        path: `${place}/deep/planted-${name}.ts`,
        source: `${source}\n`,
      })),
    );
    for (const planting of planted) await plant(copy, planting);
    await cp(join(root, ".oxlintrc.json"), join(copy, ".oxlintrc.json"));
    const blamed = await restrictions(copy, places);
    for (const { path } of planted)
      assert.ok(
        blamed.some((line) => line.startsWith(path)),
        path,
      );
  };

  test("[PKG-6] a script of npm on whatever Node there is is found", async () => {
    for (const script of ["node x.ts", "tsc && node x.ts"]) {
      const source = JSON.stringify({ scripts: { planted: script } });
      await plant(copy, { path: "package.json", source });
      assert.equal((await checkNpmScripts(copy)).length, 1, script);
    }
  });

  test("names that say nothing and long files are found", () => {
    const faults: [path: string, lines: number][] = [
      ["src/kit/utils.ts", 1],
      ["src/kit/types.ts", 1],
      ["src/kit/index.ts", 1],
      ["src/runtime/session-manager.ts", 1],
      ["src/server/prompt-handler.ts", 1],
      ["src/kit/camelCase.ts", 1],
      ["src/kit/long.ts", 351],
    ];
    for (const [path, lines] of faults)
      assert.equal(
        checkNames(new Map([[path, { path, lines, edges: [] }]])).length,
        1,
        path,
      );
  });
});

/** Where the linter's restrictions are broken: they live in `.oxlintrc.json`, so that editors show them too. */
const restrictions = async (
  at: string,
  places: readonly string[],
): Promise<string[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(
    process.execPath,
    [join(root, "node_modules/oxlint/bin/oxlint"), "--format=unix", ...places],
    { cwd: at },
    // It exits with 1 when it finds something; without a word, something else went wrong.
    (error, stdout, stderr) =>
      error !== null && stdout === ""
        ? reject(new Error(stderr, { cause: error }))
        : resolve(stdout),
  );
  return (await promise)
    .split("\n")
    .filter((line) => line.includes("no-restricted-"));
};

/** Files that declare tests (a conformance suite, say) but that no test file reaches. */
const suitesNobodyRuns = (tree: Tree): string[] => {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { target } of tree.get(path)?.edges ?? [])
      if (target.kind === "file") visit(target.path);
  };
  for (const path of tree.keys()) if (path.endsWith(".test.ts")) visit(path);
  return [...tree.values()]
    .filter(({ edges }) =>
      edges.some(
        ({ target, typeOnly }) =>
          !typeOnly && target.kind === "builtin" && target.name === "test",
      ),
    )
    .map(({ path }) => path)
    .filter((path) => !reached.has(path));
};
