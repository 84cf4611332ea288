/** Every sabotage fits the sources: moving the code it changes is noticed here, without a storm. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { harmless, sabotages } from "./sabotage.ts";
import { patched, type Patch } from "./copy-tree.ts";

const root = resolve(import.meta.dirname, "../../..");

const all: Record<string, readonly Patch[]> = { ...sabotages, ...harmless };
for (const [name, patches] of Object.entries(all))
  test(`${name} fits the sources`, async () => {
    for (const patch of patches)
      patched(await readFile(join(root, patch.file), "utf8"), patch);
  });
