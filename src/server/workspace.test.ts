import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "../contract/api/route.ts";
import { wantedRead, wantedWrite } from "./ask/file-conditions.ts";
import { createFakeSite, problemIn } from "./fixtures/fake-site.ts";

test("[WSP-8] [WSP-12] a file is answered with its bytes, safe from being taken for a page; a directory with a document", async () => {
  const { ask, house } = createFakeSite();
  const files = `/api/sessions/${house.addSession().id}/files`;
  const file = await ask(`${files}/a.txt`);
  assert.equal(await file.text(), "hello");
  assert.deepEqual(
    [
      "content-type",
      "content-disposition",
      "x-content-type-options",
      "cache-control",
      "content-security-policy",
      "etag",
    ].map((name) => file.headers.get(name)),
    [
      "text/plain; charset=utf-8",
      "attachment; filename*=UTF-8''a.txt",
      "nosniff",
      "no-store",
      "default-src 'none'; frame-ancestors 'none'",
      '"1"',
    ],
  );
  for (const path of ["", "/", "/src/"]) {
    const page = routes.showFile.answer.parse(
      await (await ask(`${files}${path}`)).json(),
    );
    assert.equal(page.next, null);
  }
  const missing = await ask(`${files}/b.txt`);
  assert.equal((await problemIn(missing)).code, "path_not_found");
  const wrong = await ask(`${files}/?limit=1001`);
  assert.equal((await problemIn(wrong)).code, "invalid_request");
  const percent = await ask(`${files}/a%2`);
  assert.equal((await problemIn(percent)).code, "path_invalid");
});

test("[API-190] directories are completed by a path, in limits, and only for who has the token", async () => {
  const { ask } = createFakeSite();
  const answer = await ask("/api/directories?path=/home/me/pro");
  assert.deepEqual(await answer.json(), {
    parent: "/home/me/",
    names: ["project"],
    truncated: false,
  });
  const denied = await ask("/api/directories?path=/root/x");
  assert.equal(denied.status, 403);
  assert.equal((await problemIn(denied)).code, "path_denied");
  for (const query of [
    "",
    "?path=home",
    "?path=/x&limit=201",
    "?path=/x&y=1",
  ]) {
    const wrong = await ask(`/api/directories${query}`);
    assert.equal((await problemIn(wrong)).code, "invalid_request");
  }
  const nobody = await ask("/api/directories?path=/", {
    headers: { authorization: "" },
  });
  assert.equal(nobody.status, 401);
});

test("[WSP-13] a body of any type is written, and its etag is told", async () => {
  const { ask, house } = createFakeSite();
  const files = `/api/sessions/${house.addSession().id}/files`;
  const written = await ask(`${files}/src/%C3%BC.txt`, {
    method: "PUT",
    body: "content",
  });
  assert.equal(written.status, 200);
  assert.equal(written.headers.get("etag"), '"1"');
  assert.deepEqual(house.done, ["putFile src/ü.txt content"]);
  const large = await ask(`${files}/x`, {
    method: "PUT",
    headers: { "content-length": String(65 * 1024 * 1024) },
    body: "x",
  });
  assert.equal(large.status, 413);
  assert.equal((await problemIn(large)).code, "file_too_large");
  assert.equal((await ask(`${files}/a/b`, { method: "DELETE" })).status, 405);
});

test("[WSP-10] [WSP-11] [WSP-14] ranges and conditions are read as HTTP has them", () => {
  const read = (headers: Record<string, string>) =>
    wantedRead((name) => headers[name], false);
  const range = (value: string) => read({ range: value }).range;
  assert.deepEqual(range("bytes=0-9"), { first: 0, last: 9 });
  assert.deepEqual(range("bytes=5-"), { first: 5 });
  assert.deepEqual(range("bytes=-5"), { suffix: 5 });
  for (const odd of ["bytes=0-1,5-6", "bytes=9-5", "lines=1-2", "bytes=-", "x"])
    assert.equal(range(odd), undefined, odd);
  assert.deepEqual(read({ "if-none-match": 'W/"a", "b"' }).if_none_match, [
    '"a"',
    '"b"',
  ]);
  assert.equal(read({ "if-match": "*" }).if_match, "*");
  assert.deepEqual(read({ "if-match": 'W/"a"' }).if_match, ['W/"a"']);
  const write = (headers: Record<string, string>) =>
    wantedWrite((name) => headers[name]);
  assert.deepEqual(write({ "if-none-match": "*" }), { if_none_match: "*" });
  assert.deepEqual(write({ "if-match": '"a"' }), { if_match: ['"a"'] });
  assert.throws(() => write({ "if-none-match": '"a"' }), {
    code: "invalid_request",
  });
});
