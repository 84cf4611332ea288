import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL } from "../../contract/base/place.ts";
import { environmentFor } from "./session-environment.ts";

const deps = {
  agentEnv: { HOME: "/me", PATH: "/bin", TEAM_KEY: "1" },
  overrides: { demo: { env: { SET: "config" } } },
  isNamed: (name: string) => name.startsWith("TEAM_"),
  serverVariable: (name: string) => (name === "SECRET" ? "s" : undefined),
};
const caller = { PATH: "/mine", TEAM_X: "2", ANTHROPIC_API_KEY: "3" };

test("[EXE-9] only named variables of the server and of who asks go to another host", () => {
  const far = { kind: "remote", id: "box" };
  assert.deepEqual(environmentFor(deps, { place: far }), { TEAM_KEY: "1" });
  assert.deepEqual(environmentFor(deps, { place: far, caller }), {
    TEAM_KEY: "1",
    TEAM_X: "2",
  });
  assert.deepEqual(environmentFor(deps, { place: LOCAL, caller }), {
    ...deps.agentEnv,
    ...caller,
  });
});

test("[SES-212] the configuration, the profile and what the session was given win over what was there, in this order", () => {
  const from = { SET: "SECRET", KEY: "SECRET", MISSING: "NOT_SET" };
  const order = { place: LOCAL, agent: "demo", caller };
  const { SET, KEY, MISSING } = environmentFor(deps, { ...order, from });
  assert.deepEqual([SET, KEY, MISSING], ["s", "s", undefined]);
  assert.equal(environmentFor(deps, order)["SET"], "config");
  const given = { SET: "given" };
  assert.equal(environmentFor(deps, { ...order, from, given })["SET"], "given");
});
