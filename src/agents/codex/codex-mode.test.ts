import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codexMode, modeFor } from "./codex-mode.ts";
import { scratch } from "../fixtures/scratch.ts";
import { tomlValues } from "./toml-values.ts";

const mode = (own: string, ...projects: string[]) =>
  modeFor(tomlValues(own), projects.map(tomlValues));

test("[LNK-59] without a word about it, Codex's own mode stays", () => {
  assert.equal(mode('model = "m"', 'model = "n"'), null);
});

for (const [config, first] of [
  ['sandbox_mode = "read-only"', "read-only"],
  ['sandbox_mode = "read-only"\napproval_policy = "never"', "read-only"],
  ['default_permissions = ":read-only"', "read-only"],
  ['sandbox_mode = "workspace-write"', "workspace-write"],
  ['approval_policy = "on-request"', "workspace-write"],
  ['approvals_reviewer = "auto_review"', "agent"],
  [
    'sandbox_mode = "danger-full-access"\napproval_policy = "never"',
    "agent-full-access",
  ],
  [
    'sandbox_mode = "danger-full-access"\napproval_policy = "on-request"',
    "workspace-write",
  ],
] as const)
  test(`[LNK-59] the mode for ${config.replace("\n", ", ")}`, () => {
    assert.equal(mode(config)?.modes[0], first);
  });

for (const config of [
  'approval_policy = "untrusted"',
  'sandbox_mode = "read\\u002donly"',
  "approval_policy = { granular = { rules = true } }",
  "[sandbox_workspace_write]\nexclude_slash_tmp = true",
])
  test(`[LNK-59] no mode stands for ${config.replace("\n", " ")}`, () => {
    assert.deepEqual(mode(config)?.modes, []);
    assert.notEqual(mode(config)?.asked, "");
  });

test("[LNK-59] what comes with the code makes it stricter, never looser", () => {
  const open = 'sandbox_mode = "danger-full-access"\napproval_policy = "never"';
  const tight = 'sandbox_mode = "read-only"';
  assert.deepEqual(mode(open, tight)?.modes, ["read-only"]);
  assert.deepEqual(mode(tight, open)?.modes, ["read-only"]);
  assert.equal(mode("", open)?.modes[0], "workspace-write");
});

test("[LNK-59] it is read where Codex reads it: its home, and the workspace up to the root of the repository", async (t) => {
  const home = scratch(t);
  const cwd = join(home, "repository/part");
  const write = (directory: string, text: string): void => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "config.toml"), text);
  };
  mkdirSync(cwd, { recursive: true });
  mkdirSync(join(home, "repository/.git"));
  const found = async (env: Record<string, string> = {}) =>
    (await codexMode({ home, cwd, env }))?.modes[0];
  write(join(home, "moved"), 'sandbox_mode = "read-only"');
  assert.equal(await found(), undefined);
  assert.equal(await found({ CODEX_HOME: join(home, "moved") }), "read-only");
  write(join(home, ".codex"), 'sandbox_mode = "workspace-write"');
  assert.equal(await found(), "workspace-write");
  assert.equal(await found({ INITIAL_AGENT_MODE: "agent" }), undefined);
  write(join(home, "repository/.codex"), 'sandbox_mode = "read-only"');
  assert.equal(await found(), "read-only");
});
