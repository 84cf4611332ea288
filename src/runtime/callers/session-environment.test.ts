import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL } from "../../contract/base/place.ts";
import { environmentFor } from "./session-environment.ts";

const deps = {
  overrides: { demo: { env: { OF_AGENT: "4" } } },
  agentEnv: { HOME: "/me", PATH: "/bin", TEAM_KEY: "1" },
  isNamed: (name: string) => name.startsWith("TEAM_"),
  serverVariable: () => undefined,
};
const FAR = { kind: "remote", id: "box" };

test("[EXE-9] of the server's variables and of those of who asks only named ones go to another host", () => {
  const caller = { PATH: "/mine", TEAM_X: "2", ANTHROPIC_API_KEY: "3" };
  const given = { OF_SESSION: "5" };
  const asked = { agent: "demo", caller, given };
  assert.deepEqual(environmentFor(deps, { ...asked, place: FAR }), {
    TEAM_KEY: "1",
    TEAM_X: "2",
    OF_AGENT: "4",
    OF_SESSION: "5",
  });
  assert.deepEqual(environmentFor(deps, { ...asked, place: LOCAL }), {
    ...deps.agentEnv,
    ...caller,
    OF_AGENT: "4",
    OF_SESSION: "5",
  });
});
