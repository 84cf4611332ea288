import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { scratch } from "../fixtures/scratch.ts";
import { Exported, newSessionId, renamed } from "./opencode-export.ts";
import { opencode } from "./opencode.ts";

const TOKEN = "ses_e2268cf67ffeeVx6YG3KxdfuUc";
const [ASKED, ANSWERED] = [
  "msg_1dd9730eb001X6BaiAP3KANlp3",
  "msg_1dd97318f001i1R2qlPug3VT1S",
];

/** As OpenCode 1.18 lays it out; columns that are not read are left out. */
const databaseIn = (home: string): void => {
  mkdirSync(join(home, ".local/share/opencode"), { recursive: true });
  using database = new DatabaseSync(
    join(home, ".local/share/opencode/opencode.db"),
  );
  database.exec(`
    create table session (id text primary key, project_id text, slug text, directory text, path text, title text,
      version text, agent text, model text, revert text, cost real, tokens_input integer, tokens_output integer,
      tokens_reasoning integer, tokens_cache_read integer, tokens_cache_write integer, time_created integer,
      time_updated integer);
    create table message (id text primary key, session_id text, data text);
    create table part (id text primary key, message_id text, session_id text, data text);
    insert into session values ('${TOKEN}', 'global', 'nimble', '/old/work', null, 'A title', '1.18.18', 'build',
      '{"id":"m"}', null, 0, 22, 14, 0, 0, 0, 1, 2);
    insert into message values ('${ANSWERED}', '${TOKEN}',
      '{"role":"assistant","parentID":"${ASKED}","path":{"cwd":"/old/work","root":"/"}}');
    insert into message values ('${ASKED}', '${TOKEN}', '{"role":"user"}');
    insert into part values ('prt_1dd97312b001bznrI1yitX41UC', '${ASKED}', '${TOKEN}',
      '{"type":"text","text":"in /old/work"}');
    insert into message values ('msg_other', 'ses_other', '{}');`);
};

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
