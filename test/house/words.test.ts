/** Front ends word what the core tells in codes, and nobody decides by sentences. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { checkWords } from "./check-words.ts";
import { plant } from "./plant.ts";
import { readTree, treeWith } from "./tree.ts";

const root = resolve(import.meta.dirname, "../..");

test("[API-120] [API-121] the core names no command, and nobody reads sentences", async () => {
  const found = await checkWords(root, await readTree(root, ["src"]));
  assert.deepEqual(found, []);
});

describe("what is planted", () => {
  let copy = "";
  before(async () => {
    copy = await mkdtemp(join(tmpdir(), "words-"));
  });
  after(() => rm(copy, { recursive: true, force: true }));

  const wordFaults = {
    "a command in a text of the core": {
      path: "src/session/planted.ts",
      source:
        "export const text = `Fork it: \\`reprise session fork ID\\`.`;\n",
    },
    "an option in a text of the core": {
      path: "src/runtime/planted.ts",
      source: 'export const text = "Leave out `--no-checkpoints`.";\n',
    },
    "a command that is new": {
      path: "src/runtime/operations/planted.ts",
      source:
        "export const text = (id: string) => `Run reprise thaw ${id}.`;\n",
    },
    "an option that is new": {
      path: "src/session/decide/planted.ts",
      source: 'export const text = "Try again with --thaw";\n',
    },
    "an option behind a value": {
      path: "src/task/planted.ts",
      source: "export const text = (id: string) => `${id} --thaw`;\n",
    },
    "a sentence that is searched": {
      path: "src/session/planted.ts",
      source:
        "export const has = (it: { lost: string }) => it.lost.includes('x');\n",
    },
    "an error that is known by its sentence": {
      path: "src/agentctl/planted.ts",
      source: "export const is = (e: Error) => /no/.test(e.message);\n",
    },
    "sentences that are compared": {
      path: "src/cli/planted.ts",
      source:
        "export class It { #lost = ''; is(text: string) { return text === this.#lost; } }\n",
    },
  };
  for (const [fault, planting] of Object.entries(wordFaults))
    test(`[API-120] [API-121] ${fault} is found`, async () => {
      await plant(copy, planting);
      const found = await checkWords(copy, treeWith(new Map(), [planting]));
      assert.deepEqual(
        new Set(found.map(({ file }) => file)),
        new Set([planting.path]),
      );
    });
});
