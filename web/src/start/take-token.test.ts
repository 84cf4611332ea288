import assert from "node:assert/strict";
import { test } from "node:test";
import { takeToken } from "./take-token.ts";

const taken = (hash: string) => {
  const replaced: unknown[] = [];
  const token = takeToken(
    { hash, pathname: "/s/ses_1", search: "?a=b" },
    { state: null, replaceState: (...args) => void replaced.push(args) },
  );
  return { token, replaced };
};

test("[PAG-7] the token is taken out of the address, and nothing else is", () => {
  assert.deepEqual(taken("#token=abc-_1"), {
    token: "abc-_1",
    replaced: [[null, "", "/s/ses_1?a=b"]],
  });
  for (const hash of ["", "#", "#turn-3", "#xtoken=1"])
    assert.deepEqual(taken(hash), { token: null, replaced: [] });
});

test("[PAG-7] an empty token is taken out too", () => {
  const { token, replaced } = taken("#token=");
  assert.equal(token, "");
  assert.equal(replaced.length, 1);
});
