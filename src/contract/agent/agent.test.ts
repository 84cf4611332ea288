import assert from "node:assert/strict";
import { test } from "node:test";
import { Abilities } from "./agent.ts";

test("[SES-76] abilities that an older release recorded are read without what nobody uses", () => {
  const abilities = {
    resume: true,
    load: true,
    close: false,
    injection: true,
    images: false,
  };
  assert.deepEqual(Abilities.parse({ ...abilities, fork: true }), abilities);
});
