import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutEntities } from "./entities.ts";
import { webAddress } from "./link.ts";

test("[PAG-73] links lead to the web or are text", () => {
  const leads = [
    ["https://example.com/a?b#c", "https://example.com/a?b#c"],
    ["HTTP://Example.com", "http://example.com/"],
    [" https://example.com ", "https://example.com/"],
  ] as const;
  for (const [href, address] of leads) assert.equal(webAddress(href), address);
  for (const href of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.com/1",
    "//evil.example",
    "/api/sessions",
    "src/a.ts",
    "#anchor",
    "mailto:a@b.c",
    "https://github.com@evil.example",
    "https://user:password@evil.example",
    "https://",
    "",
  ])
    assert.equal(webAddress(href), null, href);
});

test("[PAG-72] entities become characters, once", () => {
  assert.equal(
    withoutEntities("&lt;b&gt; &amp;lt; &#65;&#x42;"),
    "<b> &lt; AB",
  );
  for (const text of [
    "&unknown;",
    "&#0;",
    "&#x110000;",
    "&#xd800;",
    "&",
    "&&;",
  ])
    assert.equal(withoutEntities(text), text);
});
