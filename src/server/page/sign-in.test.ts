import assert from "node:assert/strict";
import { test } from "node:test";
import { pageCookieOf } from "../door/page-cookie.ts";
import {
  createFakeSite,
  type FakeSite,
  HOST,
  problemIn,
  TOKEN,
} from "../fixtures/fake-site.ts";

const PATH = "/api/page/session";
const origin = `http://${HOST}`;
const { name, value } = pageCookieOf(TOKEN);
const cookie = `${name}=${value}`;

const signIn = (
  { app }: FakeSite,
  token: unknown,
  headers: Record<string, string> = { origin },
) =>
  app.request(PATH, {
    method: "POST",
    headers: { host: HOST, "content-type": "application/json", ...headers },
    body: JSON.stringify({ token }),
  });

test("[PAG-7] the token gets a cookie that scripts cannot read and other sites do not send", async () => {
  const site = createFakeSite();
  const answer = await signIn(site, TOKEN);
  assert.equal(answer.status, 204);
  assert.equal(
    answer.headers.get("set-cookie"),
    `${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`,
  );
  const tls = await signIn(site, TOKEN, { origin: `https://${HOST}` });
  assert.match(tls.headers.get("set-cookie") ?? "", /; Secure$/);
  assert.doesNotMatch(JSON.stringify(site.log.lines), new RegExp(TOKEN));
});

test("[PAG-7] a wrong token, no token and what says no origin get no cookie", async () => {
  const site = createFakeSite();
  for (const [given, headers, status] of [
    ["wrong", { origin }, 401],
    ["", { origin }, 401],
    [value, { origin }, 401],
    [7, { origin }, 400],
    ["x".repeat(300), { origin }, 400],
    [TOKEN, {}, 403],
    [TOKEN, { origin: "http://127.0.0.1:3000" }, 403],
    [TOKEN, { origin: "null" }, 403],
    [TOKEN, { "sec-fetch-site": "cross-site" }, 403],
    [TOKEN, { origin, host: "evil.example" }, 403],
  ] as const) {
    const answer = await signIn(site, given, headers);
    assert.equal(answer.status, status, JSON.stringify([given, headers]));
    assert.equal(answer.headers.get("set-cookie"), null);
  }
  const form = await site.app.request(PATH, {
    method: "POST",
    headers: { host: HOST, origin, "content-type": "text/plain" },
    body: JSON.stringify({ token: TOKEN }),
  });
  assert.equal(form.status, 415);
});

test("[PAG-7] it can be asked who is signed in, and signing out removes the cookie", async () => {
  const site = createFakeSite();
  const isSignedIn = async (headers: Record<string, string>) =>
    (
      await site.app.request(PATH, { headers: { host: HOST, ...headers } })
    ).json();
  assert.deepEqual(await isSignedIn({ cookie }), { is_signed_in: true });
  assert.deepEqual(await isSignedIn({}), { is_signed_in: false });
  const out = await site.app.request(PATH, {
    method: "DELETE",
    headers: { host: HOST, origin, cookie },
  });
  assert.equal(out.status, 204);
  assert.match(
    out.headers.get("set-cookie") ?? "",
    new RegExp(`^${name}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0$`),
  );
});

test("[PAG-8] the cookie is made from the token, and is none", async () => {
  const { app } = createFakeSite();
  const status = async (headers: Record<string, string>) =>
    (
      await app.request("/api/sessions", {
        headers: { host: HOST, ...headers },
      })
    ).status;
  assert.equal(await status({ cookie: `a=b; ${cookie}; c=d` }), 200);
  assert.equal(await status({ cookie: `${name}=${TOKEN}` }), 401);
  assert.equal(await status({ authorization: `Bearer ${value}` }), 401);
  assert.equal(await status({ cookie: `reprise_token=${value}` }), 401);
  assert.equal(
    await status({ "sec-websocket-protocol": `bearer.${value}` }),
    401,
  );
  const other = pageCookieOf(`${TOKEN}x`);
  assert.notEqual(other.name, name);
  assert.notEqual(other.value, value);
  assert.ok(!`${name}${value}`.includes(TOKEN.slice(0, 8)));
});

test("[PAG-9] what changes something with a cookie says that our page asked for it", async () => {
  const site = createFakeSite();
  const { id } = site.house.addSession();
  const pause = async (headers: Record<string, string>) =>
    site.app.request(`/api/sessions/${id}/pause`, {
      method: "POST",
      headers: { host: HOST, ...headers },
    });
  for (const cookies of [cookie, `reprise_token=${TOKEN}`]) {
    for (const headers of [{}, { "sec-fetch-site": "none" }]) {
      const refused = await pause({ cookie: cookies, ...headers });
      assert.equal(refused.status, 403);
      assert.equal((await problemIn(refused)).code, "forbidden_origin");
    }
    assert.equal((await pause({ cookie: cookies, origin })).status, 200);
    const same = { cookie: cookies, "sec-fetch-site": "same-origin" };
    assert.equal((await pause(same)).status, 200);
  }
  const program = await pause({ authorization: `Bearer ${TOKEN}` });
  assert.equal(program.status, 200);
  assert.equal(site.house.done.length, 5);
});

test("[PAG-10] wrong tokens are answered with 429 from the 21st on; the right one is taken all the same", async (t) => {
  t.mock.method(performance, "now", () => now);
  let now = 0;
  const site = createFakeSite();
  for (let n = 0; n < 20; n++)
    assert.equal((await signIn(site, `wrong ${n}`)).status, 401);
  const refused = await signIn(site, "wrong");
  assert.equal(refused.status, 429);
  assert.equal((await problemIn(refused)).code, "too_many_attempts");
  assert.equal((await signIn(site, TOKEN)).status, 204);
  now = 60_001;
  assert.equal((await signIn(site, "wrong")).status, 401);
});
