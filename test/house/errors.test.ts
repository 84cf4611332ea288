/** Few classes of errors, each where it belongs. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { checkErrors } from "./check-errors.ts";
import { plant } from "./plant.ts";
import { readTree, treeWith } from "./tree.ts";

const root = resolve(import.meta.dirname, "../..");

test("every class of errors is on the list, and named where it belongs", async () => {
  assert.deepEqual(await checkErrors(root, await readTree(root, ["src"])), []);
});

const faults: Record<string, { path: string; source: string }> = {
  "a class of errors that is new": {
    path: "src/store/planted.ts",
    source: "export class Planted extends Error {}\n",
  },
  "a class below one of Node's": {
    path: "src/kit/planted.ts",
    source: "export class Planted extends AggregateError {}\n",
  },
  "a class below one of ours": {
    path: "src/runtime/planted.ts",
    source: "export class Planted extends RepriseError {}\n",
  },
  "a class without a name": {
    path: "src/runtime/planted.ts",
    source: "export const planted = class extends Error {};\n",
  },
  "a signal outside of its room": {
    path: "src/agentctl/orders/planted.ts",
    source: `import { GitFailed } from "../workspace/git/git.ts";\nvoid GitFailed;\n`,
  },
};
for (const [fault, planted] of Object.entries(faults))
  test(`${fault} is found`, async () => {
    const copy = await mkdtemp(join(tmpdir(), "errors-"));
    try {
      await plant(copy, planted);
      const found = await checkErrors(copy, treeWith(new Map(), [planted]));
      assert.ok(found.some(({ file }) => file === planted.path));
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  });
