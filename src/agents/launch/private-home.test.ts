import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codex } from "../codex/codex.ts";
import { scratch } from "../fixtures/scratch.ts";
import { loginOf } from "./login.ts";
import { privateHome } from "./private-home.ts";

const codexHome = (
  home: string,
): { home: string; file: (name: string) => string } => {
  mkdirSync(join(home, ".codex"));
  return { home, file: (name) => join(home, ".codex", name) };
};

const parts = () => {
  const { home, login } = codex;
  assert.ok(home && login);
  return { home, login };
};

test("[LNK-42] a private home begins with the person's settings and login, and with no session", async (t) => {
  const person = codexHome(scratch(t));
  writeFileSync(person.file("auth.json"), "secret");
  writeFileSync(person.file("config.toml"), "theirs");
  writeFileSync(person.file("history.jsonl"), "not for it");
  const directory = join(scratch(t), "homes", "ses_1");
  const make = () =>
    privateHome(parts(), { home: person.home, env: {} }, directory);
  const { CODEX_HOME: own = "" } = await make();
  assert.ok(own.startsWith(directory));
  assert.equal(statSync(own).mode & 0o777, 0o700);
  assert.equal(realpathSync(join(own, "auth.json")), person.file("auth.json"));
  assert.ok(!existsSync(join(own, "history.jsonl")));
  // From now on the settings are the session's own.
  writeFileSync(join(own, "config.toml"), "its own");
  await make();
  assert.equal(readFileSync(join(own, "config.toml"), "utf8"), "its own");
  assert.equal(readFileSync(person.file("config.toml"), "utf8"), "theirs");
  assert.ok(lstatSync(join(own, "auth.json")).isSymbolicLink());
});

test("a login is told by variables and files; where it may hide, it is unknown", async (t) => {
  const person = codexHome(scratch(t));
  const login = (env: Record<string, string> = {}) =>
    loginOf(codex, { home: person.home, env });
  assert.equal(await login(), "unknown");
  assert.equal(await login({ OPENAI_API_KEY: "x" }), "yes");
  writeFileSync(person.file("auth.json"), "secret");
  assert.equal(await login(), "yes");
  assert.equal(await login({ CODEX_HOME: "/nowhere" }), "unknown");
  assert.equal(await loginOf({}, { home: "/nowhere", env: {} }), "yes");
});
