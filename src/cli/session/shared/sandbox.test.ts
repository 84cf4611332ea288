import assert from "node:assert/strict";
import { test } from "node:test";
import { Profile } from "../../../contract/api/profile.ts";
import { sandboxIn } from "./sandbox.ts";

const none = { sandbox: false, network: undefined, "allow-host": [] } as const;

test("[SBX-1] options of a sandbox are taken together, or refused in words", () => {
  assert.deepEqual(sandboxIn(none), {});
  assert.deepEqual(sandboxIn({ ...none, sandbox: true }), { sandbox: true });
  assert.deepEqual(sandboxIn({ ...none, sandbox: true, network: "off" }), {
    sandbox: { network: "off" },
  });
  const list = { ...none, sandbox: true, network: "list" } as const;
  assert.deepEqual(sandboxIn({ ...list, "allow-host": ["example.com"] }), {
    sandbox: { network: "list", hosts: ["example.com"] },
  });
  for (const wrong of [
    { ...none, network: "off" },
    { ...none, "allow-host": ["example.com"] },
    list,
    { ...none, sandbox: true, "allow-host": ["example.com"] },
  ] as const)
    assert.throws(() => sandboxIn(wrong), { name: "UsageError" });
});

test("[SBX-1] a profile may say a sandbox, as strictly as a request", () => {
  assert.deepEqual(Profile.parse({ agent: "demo", sandbox: true }).sandbox, {
    network: "on",
  });
  for (const sandbox of [false, { network: "list" }, { limits: {} }])
    assert.ok(!Profile.safeParse({ agent: "demo", sandbox }).success);
});
