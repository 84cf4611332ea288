import assert from "node:assert/strict";
import { test } from "node:test";
import { changeList, diffText } from "./change.ts";
import { palette } from "../../terminal/palette.ts";

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

test("[CPT-21] where something is mounted, a diff says that nothing is known", () => {
  const diff = { from: "chk_5", to: "now", text: null, truncated: false };
  const not_captured = [{ path: "data", reason: "mounted" as const }];
  assert.equal(
    diffText({ ...diff, changes: [], not_captured }, palette(false)),
    "Nothing else changed (chk_5 → now).\n  ? data (not captured: something is mounted there)\n",
  );
});

test("[CPT-11] what could not be read is in the list, also where nothing else changed", () => {
  const diff = { from: "chk_5", to: "now", text: null, truncated: false };
  const not_read = ["a.log\u001b[2J"];
  assert.equal(
    diffText({ ...diff, changes: [], not_read }, palette(false)),
    "Nothing else changed (chk_5 → now).\n  ? a.log (keeps changing, or cannot be read)\n",
  );
  const changes = [{ path: "b", kind: "added" as const }];
  assert.equal(
    diffText({ ...diff, changes, not_read }, palette(false)),
    "1 path changed (chk_5 → now):\n  + b\n  ? a.log (keeps changing, or cannot be read)\n",
  );
});
