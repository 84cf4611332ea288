import assert from "node:assert/strict";
import { test } from "node:test";
import { tomlValues } from "./toml-values.ts";

const read = (...lines: string[]) =>
  Object.fromEntries(tomlValues(lines.join("\n")));

test("strings and booleans are read with their table, other values are null", () => {
  assert.deepEqual(
    read(
      'mode = "read-only" # no writing',
      "'quoted' = 'single'",
      "number = 5",
      'policy = { granular = "x" }',
      "sandbox.tmp = true",
      "[sandbox]",
      "  network = false",
      '[projects."/work"]',
      'trust = "trusted"',
    ),
    {
      mode: "read-only",
      quoted: "single",
      number: null,
      policy: null,
      "sandbox.tmp": "true",
      "sandbox.network": "false",
      "projects./work.trust": "trusted",
    },
  );
});

test("what stands in a text of several lines, in a comment or in a list of tables is no setting", () => {
  assert.deepEqual(
    read(
      'instructions = """',
      'mode = "a"',
      "[table]",
      '"""',
      '# mode = "b"',
      "[[lists]]",
      'mode = "c"',
    ),
    { instructions: null, "[].mode": "c" },
  );
});
