import assert from "node:assert/strict";
import { test } from "node:test";
import { withShown } from "./table.ts";

const empty = `Before
<!-- shown: acp -->

<!-- /shown -->
Between
<!-- shown: stream-json -->

<!-- /shown -->
After
`;

test("what was shown goes into its cell, what was written by hand stays", () => {
  const page = withShown(empty, { codex: { pause: "native" } });
  assert.match(page, /^Before\n[\s\S]*\nBetween\n[\s\S]*\nAfter\n$/);
  assert.match(page, /\| paused and resumed +\| – +\| native \|/);
});

test("runs fill the page one after the other, and the same run changes nothing", () => {
  const first = withShown(empty, { codex: { pause: "native" } });
  const second = withShown(first, { claude: { pause: "injected" } });
  assert.match(second, /\| paused and resumed +\| injected +\| native \|/);
  assert.equal(withShown(second, { codex: { pause: "native" } }), second);
});

test("another result is noticed", () => {
  const page = withShown(empty, { "codex-cli": { pause: "native" } });
  assert.notEqual(withShown(page, { "codex-cli": { pause: "fresh" } }), page);
});

test("a page without a place for the table is refused", () => {
  assert.throws(() => withShown("# Agents", {}), /no place is marked/);
});
