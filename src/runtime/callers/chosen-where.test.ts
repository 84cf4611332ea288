import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenWhere } from "./chosen-profile.ts";

const boxed = { executor: "docker", image: "base" } as const;

test("[SES-210] executor and host of a profile count together, where the request names neither", () => {
  const far = { host: "box" };
  assert.deepEqual(chosenWhere({}, far), far);
  const here = { executor: "standalone" } as const;
  assert.deepEqual(chosenWhere(here, far), here);
  assert.deepEqual(chosenWhere({ host: "other" }, boxed), { host: "other" });
});

test("[SES-210] the image of a profile is for containers alone, and that of the request wins", () => {
  assert.deepEqual(chosenWhere({}, boxed), boxed);
  assert.deepEqual(chosenWhere({ executor: "docker" }, boxed), boxed);
  assert.deepEqual(chosenWhere({ image: "mine" }, boxed), {
    executor: "docker",
    image: "mine",
  });
  assert.deepEqual(chosenWhere({ executor: "standalone" }, boxed), {
    executor: "standalone",
  });
});
