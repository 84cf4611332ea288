import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL } from "../../contract/base/place.ts";
import { callerEnvAt, serverEnvAt } from "./place-environment.ts";

const deps = {
  agentEnv: { HOME: "/me", PATH: "/bin", TEAM_KEY: "1" },
  isNamed: (name: string) => name.startsWith("TEAM_"),
};
const FAR = { kind: "remote", id: "box" };

test("[EXE-9] only named variables of the server and of who asks go to another host", () => {
  assert.deepEqual(serverEnvAt(deps, LOCAL), deps.agentEnv);
  assert.deepEqual(serverEnvAt(deps, FAR), { TEAM_KEY: "1" });
  const caller = { PATH: "/mine", TEAM_X: "2", ANTHROPIC_API_KEY: "3" };
  assert.deepEqual(callerEnvAt(deps, LOCAL, caller), caller);
  assert.deepEqual(callerEnvAt(deps, FAR, caller), { TEAM_X: "2" });
});
