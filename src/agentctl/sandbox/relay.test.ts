import assert from "node:assert/strict";
import { test } from "node:test";
import { environmentInside } from "./sandboxed.ts";

test("[SBX-22] programs go to the proxy for an address of loopback that is in the list, and not for the others", () => {
  const without = (hosts: string[]) => {
    const env = { NO_PROXY: "*", no_proxy: "*" };
    const inside = environmentInside(env, { network: "list", hosts });
    assert.equal(inside["no_proxy"], inside["NO_PROXY"]);
    return inside["NO_PROXY"];
  };
  assert.equal(without(["example.org"]), "127.0.0.1,localhost");
  assert.equal(without(["127.0.0.1:8080"]), "localhost");
  assert.equal(without(["localhost:8080", "127.0.0.1"]), "");
});
