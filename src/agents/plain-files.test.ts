import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { codexMode } from "./codex/codex-mode.ts";
import { scratch } from "./fixtures/scratch.ts";
import { findChat, projectsOf } from "./gemini/gemini-chats.ts";
import { directoryOf } from "./opencode/opencode-database.ts";
import { putLines } from "./state/put-file.ts";
import { privateHome } from "./launch/private-home.ts";
import { claimedInFiles } from "./state/users.ts";

const fifo = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", [path]);
  return path;
};

const person = (t: TestContext) => {
  const home = scratch(t);
  const cwd = join(home, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  return { home, cwd, env: {} };
};

test("[LNK-66] Codex's configuration is not waited for, and a link to a plain one is followed", async (t) => {
  const where = person(t);
  const own = fifo(join(where.home, ".codex/config.toml"));
  fifo(join(where.cwd, ".codex/config.toml"));
  assert.equal(await codexMode(where), null);
  rmSync(own);
  const kept = join(where.home, "dotfiles.toml");
  writeFileSync(kept, 'sandbox_mode = "read-only"');
  symlinkSync(kept, own);
  assert.equal((await codexMode(where))?.modes[0], "read-only");
});

test("[LNK-66] what claims a session is not waited for", async (t) => {
  const directory = scratch(t);
  fifo(join(directory, "1.json"));
  symlinkSync("/dev/zero", join(directory, "2.json"));
  assert.deepEqual(await claimedInFiles(directory, "token"), []);
});

test("[LNK-66] neither the owner of a Gemini project nor a chat is waited for", async (t) => {
  const where = person(t);
  const tmp = join(where.home, ".gemini/tmp");
  fifo(join(tmp, "one/.project_root"));
  assert.deepEqual(await projectsOf(where), []);
  mkdirSync(join(tmp, "two"));
  writeFileSync(join(tmp, "two/.project_root"), where.cwd);
  fifo(join(tmp, "two/chats/session-1-12345678.jsonl"));
  assert.equal(await findChat(where, "12345678-9"), null);
});

test("[LNK-66] OpenCode's database is refused when it is a FIFO", async (t) => {
  const where = person(t);
  fifo(join(where.home, ".local/share/opencode/opencode.db"));
  await assert.rejects(directoryOf(where, "token"), /no plain file/);
});

test("[LNK-66] settings that are a FIFO are not copied into a home", async (t) => {
  const where = person(t);
  fifo(join(where.home, ".some/settings.json"));
  const home = {
    roots: { SOME_HOME: ".some" },
    settings: [{ root: "SOME_HOME", name: "settings.json" }],
  };
  await assert.rejects(
    privateHome({ home }, where, join(where.home, "private")),
    /no plain file/,
  );
});

test("[LNK-66] a FIFO with the name of a session is another's", async (t) => {
  const directory = scratch(t);
  const source = join(directory, "source");
  writeFileSync(source, "{}\n");
  const taken = fifo(join(directory, "taken"));
  assert.equal(await putLines(source, taken, () => null), "taken");
  await assert.rejects(
    putLines(taken, join(directory, "new"), () => null),
    /no plain file/,
  );
});
