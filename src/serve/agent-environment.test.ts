import assert from "node:assert/strict";
import { test } from "node:test";
import { Config } from "../contract/api/config.ts";
import { LOGIN_VARIABLES } from "../contract/agent/login-variables.ts";
import { agentEnvironment } from "./agent-environment.ts";

test("[SES-72] agents get what any program needs, and their own logins and settings", () => {
  const env = {
    HOME: "/home/ada",
    PATH: "/usr/bin",
    LC_TIME: "C",
    XDG_CONFIG_HOME: "/home/ada/.config",
    https_proxy: "http://proxy:3128",
    SSL_CERT_FILE: "/etc/ca.pem",
    ANTHROPIC_BASE_URL: "http://gateway",
    ...Object.fromEntries(
      Object.values(LOGIN_VARIABLES).flatMap((names) =>
        names.map((name) => [name, "key"]),
      ),
    ),
  };
  assert.deepEqual(agentEnvironment(env, []), env);
});

test("[SES-72] nothing else of the server's environment reaches an agent", () => {
  const env = {
    PGPASSWORD: "hush",
    DATABASE_URL: "postgres://user:hush@db",
    AWS_ACCESS_KEY_ID: "hush",
    AWS_SECRET_ACCESS_KEY: "hush",
    GOOGLE_APPLICATION_CREDENTIALS: "/etc/key.json",
    MY_HOME: "/x",
    HOMES: "/x",
    LC: "C",
    UNSET: undefined,
  };
  assert.deepEqual(agentEnvironment(env, []), {});
});

test("[SES-72] pass_env names more, and never what is the server's own", () => {
  const env = {
    TEAM_TOOL: "1",
    TEAM_: "2",
    A_TEAM_TOOL: "3",
    "TEAM.X": "4",
    REPRISE_TOKEN: "hush",
    PGPASSWORD: "hush",
  };
  assert.deepEqual(agentEnvironment(env, ["TEAM_*"]), {
    TEAM_TOOL: "1",
    TEAM_: "2",
  });
  assert.deepEqual(agentEnvironment(env, ["REPRISE_*", "*PASS*"]), {
    PGPASSWORD: "hush",
  });
});

test("[SES-72] an entry of pass_env that is no name is refused", () => {
  const fits = (entry: string) =>
    Config.safeParse({ pass_env: [entry] }).success;
  for (const entry of ["TEAM_*", "SSH_AUTH_SOCK", "x", "*"])
    assert.ok(fits(entry), entry);
  for (const entry of ["", "TEAM=1", "TEAM_[AB]", "$TEAM", "A B", "1A"])
    assert.ok(!fits(entry), entry);
});
