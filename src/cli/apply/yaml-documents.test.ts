import assert from "node:assert/strict";
import { test } from "node:test";
import { yamlDocuments } from "./yaml-documents.ts";

test("an alias stands for what it names, also where something is merged", async () => {
  const [document] = await yamlDocuments(
    "context:\n  - &rule Keep the names.\n  - *rule\nretry: &again { limit: 3 }\nother: *again\n",
  );
  assert.deepEqual(document?.faults, []);
  assert.deepEqual(document.value, {
    context: ["Keep the names.", "Keep the names."],
    retry: { limit: 3 },
    other: { limit: 3 },
  });
});

test("aliases that would grow without end, or name what holds them, are faults", async () => {
  const levels = Array.from({ length: 12 }, (_, n) => {
    const before = n === 0 ? "x" : `*l${n - 1}`;
    return `l${n}: &l${n} [${Array.from({ length: 10 }, () => before).join(", ")}]`;
  });
  for (const text of [levels.join("\n"), "a: &a [1, *a]\n", "a: *nobody\n"]) {
    const [document] = await yamlDocuments(text);
    assert.equal(document?.faults.length, 1, text);
    assert.equal(document.value, null);
  }
});
