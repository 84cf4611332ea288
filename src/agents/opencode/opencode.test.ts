import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import {
  ANSWERED,
  ASKED,
  databaseIn,
  TOKEN,
} from "../fixtures/opencode-session.ts";
import { scratch } from "../fixtures/scratch.ts";
import { Exported, newSessionId, renamed } from "./opencode-export.ts";
import { opencode } from "./opencode.ts";

test("[P8] OpenCode: one session is taken out of the database of all, and the database stays as it is", async (t) => {
  const home = scratch(t);
  databaseIn(home);
  const where = { home, cwd: "/old/work", env: {} };
  const before = readFileSync(join(home, ".local/share/opencode/opencode.db"));
  const saved = await opencode.state?.collect(where, TOKEN, scratch(t));
  const [file] = saved ?? [];
  assert.equal(file?.name, "session.json");
  const { info, messages } = Exported.parse(
    JSON.parse(readFileSync(file.path, "utf8")),
  );
  assert.deepEqual([info.id, info.directory], [TOKEN, "/old/work"]);
  assert.deepEqual(
    messages.map((each) => each.info.id),
    [ASKED, ANSWERED],
  );
  assert.equal(messages[0]?.parts[0]?.["text"], "in /old/work");
  assert.deepEqual(
    readFileSync(join(home, ".local/share/opencode/opencode.db")),
    before,
  );
  assert.equal(await opencode.quirks?.boundTo?.(where, TOKEN), "/old/work");
  assert.deepEqual(await opencode.state?.collect(where, "ses_no", ""), []);
});

test("[P8] OpenCode: as another session every id is another and the order is the same", async (t) => {
  const home = scratch(t);
  databaseIn(home);
  const where = { home, cwd: "/old/work", env: {} };
  const [file] =
    (await opencode.state?.collect(where, TOKEN, scratch(t))) ?? [];
  const exported = Exported.parse(
    JSON.parse(readFileSync(file?.path ?? "", "utf8")),
  );
  const from = { cwd: "/old/work", token: TOKEN };
  const to = { cwd: "/new/work", token: newSessionId(1794719035544) };
  const other = renamed(exported, from, to);
  const [asked, answered] = other.messages;
  assert.deepEqual([other.info.id, other.info.directory], [to.token, to.cwd]);
  assert.match(asked?.info.id ?? "", /^msg_1dd9730eb001\w{14}$/);
  assert.notEqual(asked?.info.id, ASKED);
  assert.ok((asked?.info.id ?? "") < (answered?.info.id ?? ""));
  assert.equal(answered?.info["parentID"], asked?.info.id);
  assert.deepEqual(answered?.info["path"], { cwd: "/new/work", root: "/" });
  assert.equal(asked?.parts[0]?.messageID, asked?.info.id);
  assert.equal(asked?.parts[0]?.["text"], "in /old/work");
  assert.deepEqual(renamed(exported, from, to), other);
  assert.deepEqual(renamed(exported, from, from), exported);
});

test("[P8] OpenCode: ids of sessions count down with time", () => {
  const random = new Uint8Array(14);
  assert.equal(
    newSessionId(1794719035544, random),
    "ses_e2268cf67ffe00000000000000",
  );
  const [older, newer] = [newSessionId(1000), newSessionId(2000)];
  assert.ok(newer < older);
});

test("[P8] OpenCode: what is there already and goes on from what was saved is left alone", async (t) => {
  const home = scratch(t);
  databaseIn(home);
  const where = { home, cwd: "/old/work", env: { PATH: "" } };
  const saved = await opencode.state?.collect(where, TOKEN, scratch(t));
  const from = { cwd: "/old/work", token: TOKEN };
  const same = { ...where, token: TOKEN };
  assert.deepEqual(await opencode.state?.put(saved ?? [], from, same), {
    token: TOKEN,
  });
  // To bring in anything, OpenCode itself is needed.
  await assert.rejects(
    async () =>
      opencode.state?.put(saved ?? [], from, { ...same, token: "ses_new" }),
    /not installed/,
  );
});

test("[P6] OpenCode: a database that cannot be read is told, and not taken for one without the session", async (t) => {
  const home = scratch(t);
  const where = { home, cwd: "/old/work", env: {} };
  const collect = async () => opencode.state?.collect(where, TOKEN, home);
  assert.deepEqual(await collect(), [], "there is none");
  databaseIn(home);
  const path = join(home, ".local/share/opencode/opencode.db");
  const change = (sql: string): void => {
    using database = new DatabaseSync(path);
    database.exec(sql);
  };
  change("alter table session rename column slug to snail");
  await assert.rejects(collect, /cannot be read: it is of another make/);
  change("drop table session");
  await assert.rejects(collect, /cannot be read: no such table/);
  writeFileSync(path, "no database");
  await assert.rejects(collect, /cannot be read: file is not a database/);
  assert.equal(await opencode.quirks?.boundTo?.(where, TOKEN), null);
});
