import assert from "node:assert/strict";
import { test } from "node:test";
import { changeList } from "./change.ts";
import { palette } from "./palette.ts";

test("[CPT-11] what git keeps for itself takes one line in a list of changes", () => {
  const list = changeList(
    [
      { path: ".git/index", kind: "modified" },
      { path: ".git/objects/0a/72", kind: "added" },
      { path: ".gitignore", kind: "added" },
      { path: "lib/.git/HEAD", kind: "modified" },
      { path: "src/a.js", kind: "removed" },
    ],
    false,
    palette(false),
  );
  assert.equal(
    list,
    [
      "  ~ .git (2 paths of git's own)",
      "  + .gitignore",
      "  ~ lib/.git (1 path of git's own)",
      "  - src/a.js",
      "",
    ].join("\n"),
  );
});
