import assert from "node:assert/strict";
import { test } from "node:test";
import { linksOf, mentionAt, taken } from "./mentions.ts";

test("[PAG-194] @ at the beginning of a word offers files, and an address of mail does not", () => {
  assert.deepEqual(mentionAt("@", 1), { start: 0, query: "" });
  assert.deepEqual(mentionAt("look at @src/ap", 15), {
    start: 8,
    query: "src/ap",
  });
  assert.deepEqual(mentionAt("look at @src/ap and", 11), {
    start: 8,
    query: "sr",
  });
  assert.equal(mentionAt("me@example.com", 14), null);
  assert.equal(mentionAt("@a b", 4), null);
  assert.equal(mentionAt(`@${"a".repeat(200)}`, 201), null);
});

test("[PAG-195] a file that is taken stands in the text, with one space behind it", () => {
  const text = "see @ap please";
  const mention = mentionAt(text, 7);
  assert.ok(mention !== null);
  assert.deepEqual(taken(text, mention, "src/app.ts"), {
    text: "see @src/app.ts please",
    cursor: 15,
  });
  assert.deepEqual(taken("@ap", { start: 0, query: "ap" }, "a b.ts"), {
    text: "@a b.ts ",
    cursor: 8,
  });
});

test("[PAG-195] files that are still named are sent as links", () => {
  const files = ["src/a.ts", "b c.md", "gone.ts", "src/a.ts"];
  assert.deepEqual(linksOf("see @src/a.ts, and @b c.md.", files, "/work/x"), [
    { type: "resource_link", uri: "file:///work/x/src/a.ts", name: "src/a.ts" },
    { type: "resource_link", uri: "file:///work/x/b%20c.md", name: "b c.md" },
  ]);
  assert.deepEqual(linksOf("see @src/a.tsx", ["src/a.ts"], "/"), []);
});
