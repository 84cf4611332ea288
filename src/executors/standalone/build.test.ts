import assert from "node:assert/strict";
import { test } from "node:test";
import { isNewer } from "./build.ts";

test("[LNK-32] of two versions the higher is newer; within one, the build that comes later", () => {
  const newer: [ours: string, theirs: string, is: boolean][] = [
    ["1.2.4-00000000", "1.2.3-ffffffff", true],
    ["1.2.3-ffffffff", "1.2.4-00000000", false],
    ["1.10.0-00000000", "1.9.9-00000000", true],
    ["2.0.0-00000000", "1.99.99-00000000", true],
    ["1.2.3-00000000", "1.2.3-00000000", false],
    ["1.2.3-00000000", "1.2.3-11111111", true],
    ["1.2.3-rc.1-00000000", "1.2.2-11111111", true],
    ["1.2.3-00000000", "source", false],
    ["source", "1.2.3-00000000", false],
  ];
  for (const [ours, theirs, is] of newer)
    assert.equal(isNewer(ours, theirs), is, `${ours} and ${theirs}`);
});
