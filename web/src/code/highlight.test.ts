import assert from "node:assert/strict";
import { test } from "node:test";
import { CodeHighlighter } from "./highlight.ts";
import { grammarOf, languageOfPath } from "./tokens.ts";

test("[PAG-76] code is given back whole, in pieces of the page's own kinds", async () => {
  const text = 'const a = "b"; // c\n\nlet n = 12;';
  const lines = await new CodeHighlighter().highlight({ text, language: "ts" });
  assert.equal(
    lines?.map((line) => line.map((token) => token.text).join("")).join("\n"),
    text,
  );
  const kindOf = (word: string) =>
    lines?.flat().find((token) => token.text.includes(word))?.kind;
  assert.equal(kindOf("const"), "keyword");
  assert.equal(kindOf("b"), "string");
  assert.equal(kindOf("// c"), "comment");
  assert.equal(kindOf("12"), "number");
});

test("[PAG-76] what is too long, has too long a line or no known language stays plain", async () => {
  for (const request of [
    { text: "a", language: "" },
    { text: "a", language: "brainfuck" },
    { text: "a", language: "__proto__" },
    { text: "a".repeat(2_001), language: "ts" },
    { text: "a\n".repeat(40_000), language: "ts" },
  ])
    assert.equal(await new CodeHighlighter().highlight(request), null);
  assert.equal(
    grammarOf({ text: "a", language: "TypeScript {1}" }),
    "typescript",
  );
  assert.equal(languageOfPath("src/a.test.py"), "py");
});

test("[PAG-76] every grammar can be loaded", async () => {
  const highlighter = new CodeHighlighter();
  for (const language of [
    "ts",
    "tsx",
    "js",
    "json",
    "sh",
    "py",
    "go",
    "rs",
    "java",
    "c",
    "css",
    "html",
    "yaml",
    "sql",
    "toml",
    "docker",
    "diff",
  ])
    assert.ok(
      await highlighter.highlight({ text: "a = 1", language }),
      language,
    );
});
