import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionId } from "../contract/id.ts";
import { Voices } from "./voices.ts";

const [one, other] = ["1", "2"].map((n) =>
  SessionId.parse(`ses_${n.padStart(26, "0")}`),
);

test("[CHK-28] a session gives way to others that speak, not to itself, and not for longer than they do", () => {
  assert.ok(one !== undefined && other !== undefined);
  const voices = new Voices();
  assert.equal(voices.areOthers(one, 0), false);
  voices.hear(one, 0);
  assert.equal(voices.areOthers(one, 10), false);
  assert.equal(voices.areOthers(other, 10), true);
  voices.hear(other, 100);
  assert.equal(voices.areOthers(one, 300), true);
  assert.equal(voices.areOthers(one, 400), false);
});
