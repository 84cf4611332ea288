import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL } from "../../contract/base/place.ts";
import { chosenPlace } from "./chosen-place.ts";

const at = (id: string, kind = "remote") => ({ kind, id });

test("[EXE-6] a place is chosen by executor and host", () => {
  const hosts = [at("one"), at("two"), at("three", "ssh")];
  assert.deepEqual(chosenPlace({ hosts }), LOCAL);
  assert.deepEqual(chosenPlace({ hosts }, { executor: "standalone" }), LOCAL);
  assert.deepEqual(chosenPlace({ hosts }, { host: "two" }), at("two"));
  assert.deepEqual(chosenPlace({ hosts }, { host: "three" }), hosts[2]);
  assert.deepEqual(chosenPlace({ hosts }, { executor: "ssh" }), hosts[2]);
  const only = { hosts: [at("one")] };
  assert.deepEqual(chosenPlace(only, { executor: "remote" }), at("one"));
});

test("[EXE-6] what names no place is refused with the names of those that there are", () => {
  const hosts = [at("one"), at("two")];
  for (const [asked, code, words] of [
    [{ executor: "remote" }, "invalid_request", /one, two/],
    [{ host: "three" }, "host_not_usable", /one, two/],
    [{ executor: "ssh", host: "one" }, "host_not_usable", /No host of this/],
    [{ executor: "standalone", host: "one" }, "invalid_request", /no host one/],
  ] as const)
    assert.throws(() => chosenPlace({ hosts }, asked), {
      code,
      message: words,
    });
  assert.throws(() => chosenPlace({ hosts: [] }, { executor: "remote" }), {
    code: "host_not_usable",
    message: /No host of this kind is named/,
  });
});
