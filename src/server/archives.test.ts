import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { Session } from "../contract/session/session.ts";
import { createFakeSite, problemIn } from "./fixtures/fake-site.ts";

const octets = { "content-type": "application/octet-stream" };

test("[API-90] an exported session comes as one file with its length and a name", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const answer = await ask(`/api/sessions/${id}/export`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/octet-stream");
  assert.equal(answer.headers.get("content-length"), "4");
  assert.equal(
    answer.headers.get("content-disposition"),
    `attachment; filename="${id}.reprise"`,
  );
  assert.equal(await answer.text(), "file");
});

test("[API-90] a client that goes away lets the file go", async () => {
  const content = new Readable({ read: () => undefined });
  const { ask, house } = createFakeSite({
    exportSession: async () => ({ bytes: 9, content }),
  });
  const answer = await ask(`/api/sessions/${house.addSession().id}/export`);
  const closed = new Promise((resolve) => content.once("close", resolve));
  await answer.body?.cancel();
  await closed;
  assert.ok(content.destroyed);
});

test("[API-91] a file is handed on as it comes, and what it makes is a session", async () => {
  const { ask, house } = createFakeSite();
  const answer = await ask("/api/sessions/import?cwd=/new", {
    method: "POST",
    headers: octets,
    body: "bytes",
  });
  assert.equal(answer.status, 201);
  Session.parse(await answer.json());
  assert.deepEqual(house.done, ["importSession bytes"]);
});

test("[API-91] a file of another type is refused, and nothing of it is read", async () => {
  const { ask, house } = createFakeSite();
  for (const type of ["text/plain", "application/json", ""]) {
    const answer = await ask("/api/sessions/import", {
      method: "POST",
      headers: { "content-type": type },
      body: "bytes",
    });
    assert.equal((await problemIn(answer)).code, "unsupported_media_type");
  }
  assert.deepEqual(house.done, []);
});

test("[API-91] an import without a body, or with a query nobody knows, is refused", async () => {
  const { ask } = createFakeSite();
  const empty = await ask("/api/sessions/import", {
    method: "POST",
    headers: octets,
  });
  assert.equal((await problemIn(empty)).code, "damaged_archive");
  const odd = await ask("/api/sessions/import?where=/new", {
    method: "POST",
    headers: octets,
    body: "bytes",
  });
  assert.equal((await problemIn(odd)).code, "invalid_request");
});

test("[API-92] a rewind names a turn or a checkpoint; a diff names moments that there can be", async () => {
  const { ask, post, house } = createFakeSite();
  const { id } = house.addSession();
  for (const body of [{}, { turn: 1, checkpoint: "chk_3" }, { turn: -1 }]) {
    const answer = await post(`/api/sessions/${id}/rewind`, body);
    assert.equal((await problemIn(answer)).code, "invalid_request");
  }
  assert.deepEqual(house.done, []);
  for (const query of ["from=yesterday", "from=-1", "text=1", "to=chk_"]) {
    const answer = await ask(`/api/sessions/${id}/diff?${query}`);
    assert.equal((await problemIn(answer)).code, "invalid_request", query);
  }
  const good = await ask(`/api/sessions/${id}/diff?from=1&to=now&text=true`);
  assert.equal(good.status, 200);
});

test("[API-93] the trash is listed by itself", async () => {
  const asked: unknown[] = [];
  const { ask } = createFakeSite({
    listSessions: async ({ deleted }) => {
      asked.push(deleted);
      return { sessions: [], next: null };
    },
  });
  await ask("/api/sessions");
  await ask("/api/sessions?deleted=true");
  assert.deepEqual(asked, [false, true]);
});
