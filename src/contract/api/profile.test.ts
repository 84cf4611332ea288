import assert from "node:assert/strict";
import { test } from "node:test";
import { Config, configIssues } from "./config.ts";
import { profileView } from "./profile.ts";

const issuesOf = (profiles: object, more: object = {}): string => {
  const parsed = Config.safeParse({ profiles, ...more });
  assert.ok(parsed.error !== undefined, "it fits");
  return configIssues(parsed.error).join("\n");
};

const profileOf = (profile: object) =>
  Config.parse({ profiles: { one: { agent: "demo", ...profile } } }).profiles[
    "one"
  ];

test("[API-215] a profile has the fields of a session; a word for permissions is a policy", () => {
  const given = {
    model: "m",
    on_quota: "handoff:demo-inject",
    budget: { turns: 2 },
    allowed_tools: ["Read"],
  };
  assert.deepEqual(profileOf({ ...given, permissions: "allow-read" }), {
    agent: "demo",
    ...given,
    permissions: { default: "allow-read", rules: [] },
  });
  const custom = { agents: { mine: { command: ["cat"] } } };
  const { profiles } = Config.parse({
    ...custom,
    profiles: { fast: { agent: "mine" } },
  });
  assert.deepEqual(profiles, { fast: { agent: "mine" } });
});

test("[API-215] variables are a list of names, or an object where the agent knows them by others", () => {
  assert.deepEqual(profileOf({ env: ["A", "B_1"] })?.env, {
    A: "A",
    B_1: "B_1",
  });
  assert.deepEqual(profileOf({ env: { KEY: { from: "WORK_KEY" } } })?.env, {
    KEY: "WORK_KEY",
  });
});

test("[API-215] a profile may name a host that `executors` names", () => {
  const box = {
    kind: "remote",
    address: "127.0.0.1:7000",
    token_file: "/token",
  };
  const one = { agent: "demo", host: "box" };
  const { profiles } = Config.parse({
    executors: { box },
    profiles: { one },
  });
  assert.deepEqual(profiles, { one });
});

for (const [what, profile, words] of [
  [
    "an agent that nobody knows",
    { agent: "claud" },
    /^profiles\.one\.agent: there is no agent claud; did you mean claude\?$/,
  ],
  ["no agent", { model: "m" }, /^profiles\.one\.agent: /],
  ["a field that does not exist", { agent: "demo", modle: "m" }, /modle/],
  [
    "a host that nobody knows",
    { agent: "demo", host: "box" },
    /^profiles\.one\.host: there is no host box$/,
  ],
  [
    "a value in a list of names",
    { agent: "demo", env: ["KEY", "sk-secret"] },
    /^profiles\.one\.env\.1\.from: must be the name of a variable$/m,
  ],
  [
    "an agent that cannot stand in",
    { agent: "demo", on_quota: "handoff:nobody" },
    /^profiles\.one\.on_quota: there is no agent nobody$/,
  ],
  [
    "the value of a variable",
    { agent: "demo", env: { KEY: "sk-secret" } },
    /^profiles\.one\.env\.KEY: must be {"from": "VARIABLE"}/,
  ],
  [
    "a value in the place of a name",
    { agent: "demo", env: { KEY: { from: "sk-secret" } } },
    /^profiles\.one\.env\.KEY\.from: must be the name of a variable$/,
  ],
  [
    "what is the server's own",
    { agent: "demo", env: ["REPRISE_TOKEN"] },
    /is a variable that agents do not get/,
  ],
  [
    "something else than names",
    { agent: "demo", env: "KEY" },
    /^profiles\.one\.env: must be a list of names, or an object of them$/,
  ],
] as const)
  test(`[API-215] a profile with ${what} is refused in words, without the value`, () => {
    const issues = issuesOf({ one: profile });
    assert.match(issues, words);
    assert.doesNotMatch(issues, /sk-secret/);
  });

test("[API-215] a profile cannot be called as an agent is", () => {
  assert.match(
    issuesOf({ claude: { agent: "claude" } }),
    /^profiles\.claude: claude is the name of an agent, which is a profile already/,
  );
  assert.match(
    issuesOf(
      { mine: { agent: "mine" } },
      { agents: { mine: { command: ["cat"] } } },
    ),
    /^profiles\.mine: mine is the name of an agent/,
  );
  assert.match(
    issuesOf({ "No Name": { agent: "demo" } }),
    /^profiles\.No Name: the name of a profile must be lower-case letters/,
  );
});

test("[API-217] a profile is shown by what it sets, without values of its variables or the texts of its settings", () => {
  const profile = profileOf({
    model: "m",
    settings: { token: "s" },
    env: { KEY: { from: "WORK_KEY" } },
  });
  assert.ok(profile !== undefined);
  assert.deepEqual(profileView("one", profile), {
    id: "one",
    agent: "demo",
    model: "m",
    mode: null,
    executor: null,
    host: null,
    sets: ["model", "settings", "env"],
    env_names: ["KEY"],
  });
});
