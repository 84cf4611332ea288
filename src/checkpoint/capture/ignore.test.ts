import assert from "node:assert/strict";
import { test } from "node:test";
import { insideOf, isIgnored, parseIgnore } from "./ignore.ts";

const cases: [rules: string, path: string, directory: boolean, yes: boolean][] =
  [
    ["*.log", "a.log", false, true],
    ["*.log", "deep/er/a.log", false, true],
    ["*.log", "a.logs", false, false],
    ["build/", "build", true, true],
    ["build/", "build", false, false],
    ["build/", "x/build", true, true],
    ["/build", "build", false, true],
    ["/build", "x/build", false, false],
    ["x/*.o", "x/a.o", false, true],
    ["x/*.o", "x/y/a.o", false, false],
    ["x/**/a.o", "x/y/z/a.o", false, true],
    ["x/**/a.o", "x/a.o", false, true],
    ["**/tmp", "a/b/tmp", false, true],
    ["x/**", "x/y/z", false, true],
    ["x/**", "x", true, false],
    ["a?c", "abc", false, true],
    ["a?c", "a/c", false, false],
    ["a.c", "abc", false, false],
    ["*.log\n!keep.log", "keep.log", false, false],
    ["!keep.log\n*.log", "keep.log", false, true],
    ["# *.log", "a.log", false, false],
    ["**", "a/b", false, true],
    ["/**", "a", false, true],
    ["a/**/**/b", "a/b", false, true],
    ["a/**/**/b", "a/x/y/b", false, true],
    ["a/**/b/**/c", "a/b/x/b/c", false, true],
    ["a/**/b/**/c", "a/b/x", false, false],
    ["a*b*c", "aXbXbc", false, true],
    ["a*b*c", "aXbX", false, false],
    ["a**c", "abbc", false, true],
    ["[ab]", "a", false, false],
    ["[ab]", "[ab]", false, true],
    ["\n \n/\n", "a", false, false],
  ];

for (const [rules, path, directory, yes] of cases)
  test(`[CHK-4] ${JSON.stringify(rules)} ${yes ? "fits" : "does not fit"} ${path}`, () => {
    assert.equal(isIgnored(parseIgnore(rules), path, directory), yes);
  });

test("[CHK-4] no pattern takes long", () => {
  const name = "a".repeat(255);
  const path = `${"a/".repeat(1900)}${name}`;
  for (const rules of ["*a".repeat(200) + "b", "**/a/".repeat(200) + "b"])
    for (const each of [name, path])
      assert.equal(isIgnored(parseIgnore(rules), each, false), false);
});

test("[CHK-4] of the paths to leave out only those inside matter", () => {
  const inside = insideOf("/w", ["/w/a/b", "/w/c", "/wx", "/", "/w"]);
  assert.deepEqual(
    [...inside],
    [
      ["a", new Set(["b"])],
      ["", new Set(["c"])],
    ],
  );
});
