import assert from "node:assert/strict";
import { test } from "node:test";
import { allowedHosts, urlOf } from "./allowed-hosts.ts";
import {
  createFakeSite,
  HOST,
  problemIn,
  TOKEN,
} from "../fixtures/fake-site.ts";

const bearer = { authorization: `Bearer ${TOKEN}` };
const places = ["/api/sessions", "/api/sessions/:id/stream", "/health"];

for (const host of ["evil.example", "127.0.0.1:80", "localhost:7420.evil", ""])
  test(`[API-1] Host ${JSON.stringify(host)} is refused, on REST, on SSE and where no token is needed`, async () => {
    const { app, house } = createFakeSite();
    const { id } = house.addSession();
    for (const place of places) {
      const path = place.replace(":id", id);
      const refused = await app.request(path, { headers: { ...bearer, host } });
      assert.equal(refused.status, 403);
      assert.equal((await problemIn(refused)).code, "forbidden_host");
    }
    assert.equal(house.openFeeds, 0);
  });

test("[API-1] the server answers to its own names, and to all of the machine's when it listens on all", () => {
  const names = (host: string, port: number) => [...allowedHosts(host, port)];
  assert.deepEqual(names("127.0.0.1", 7420), [
    "127.0.0.1:7420",
    "localhost:7420",
    "[::1]:7420",
  ]);
  assert.ok(names("box.example", 7420).includes("box.example:7420"));
  assert.ok(names("fd00::1", 7420).includes("[fd00::1]:7420"));
  assert.ok(names("127.0.0.1", 80).includes("localhost"));
  assert.ok(!names("0.0.0.0", 7420).includes("0.0.0.0:7420"));
});

for (const host of ["127.0.0.1", "localhost", "::1", "0.0.0.0", "::"])
  test(`[API-1] the address that is announced when listening on ${host} is one that is answered`, () => {
    const { host: authority } = new URL(urlOf(host, 7420));
    assert.ok(allowedHosts(host, 7420).has(authority));
  });

for (const origin of [
  "https://evil.example",
  "http://127.0.0.1:3000",
  "http://127.0.0.1:7420.evil.example",
  "null",
])
  test(`[API-2] Origin ${origin} is refused, on REST, on SSE and where no token is needed`, async () => {
    const { ask, house } = createFakeSite();
    const { id } = house.addSession();
    for (const place of places) {
      const refused = await ask(place.replace(":id", id), {
        headers: { origin },
      });
      assert.equal(refused.status, 403);
      assert.equal((await problemIn(refused)).code, "forbidden_origin");
    }
  });

test("[API-2] the server's own origin may use it", async () => {
  const { ask } = createFakeSite();
  const headers = { origin: `http://${HOST}`, "sec-fetch-site": "same-origin" };
  assert.equal((await ask("/api/sessions", { headers })).status, 200);
});

for (const site of ["cross-site", "same-site"])
  test(`[API-3] a ${site} request without Origin is refused; following a link to an open page is not`, async () => {
    const { ask } = createFakeSite();
    const headers = { "sec-fetch-site": site };
    assert.equal((await ask("/api/sessions", { headers })).status, 403);
    assert.equal((await ask("/health", { headers })).status, 403);
    const link = {
      ...headers,
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    assert.equal((await ask("/", { headers: link })).status, 200);
    assert.equal((await ask("/api/sessions", { headers: link })).status, 403);
  });

test("[API-4] a preflight finds no method and no CORS header", async () => {
  const { ask } = createFakeSite();
  const answer = await ask("/api/sessions", {
    method: "OPTIONS",
    headers: {
      origin: `http://${HOST}`,
      "access-control-request-method": "POST",
    },
  });
  assert.equal(answer.status, 405);
  const names = [...answer.headers.keys()];
  assert.deepEqual(
    names.filter((name) => name.startsWith("access-control-")),
    [],
  );
});

test("[API-5] without the token only the open addresses answer", async () => {
  const { app, house } = createFakeSite();
  const { id } = house.addSession();
  const bare = (path: string) => app.request(path, { headers: { host: HOST } });
  for (const path of [
    "/api/sessions",
    `/api/sessions/${id}/stream`,
    "/api/ws",
    "/nowhere",
  ]) {
    const refused = await bare(path);
    assert.equal(refused.status, 401, path);
    assert.equal(refused.headers.get("www-authenticate"), "Bearer");
    assert.equal((await problemIn(refused)).code, "unauthorized");
  }
  for (const path of ["/", "/health", "/openapi.json"])
    assert.equal((await bare(path)).status, 200, path);
});

test("[API-6] the token is taken from the header or the cookie, never from the address", async () => {
  const { app } = createFakeSite();
  const status = async (headers: Record<string, string>, query = "") =>
    (
      await app.request(`/api/sessions${query}`, {
        headers: { host: HOST, ...headers },
      })
    ).status;
  assert.equal(await status(bearer), 200);
  assert.equal(await status({ authorization: `bearer  ${TOKEN}` }), 200);
  assert.equal(
    await status({ cookie: `a=b; reprise_token=${TOKEN}; c=d` }),
    200,
  );
  assert.equal(await status({ authorization: `Bearer ${TOKEN}x` }), 401);
  assert.equal(await status({ authorization: `Basic ${TOKEN}` }), 401);
  assert.equal(await status({ authorization: "Bearer" }), 401);
  assert.equal(await status({ cookie: "reprise_token=" }), 401);
  assert.equal(await status({ cookie: "reprise_token=wrong" }), 401);
  assert.equal(await status({}, `?token=${TOKEN}`), 401);
  // A wrong header is not saved by a right cookie.
  assert.equal(
    await status({
      authorization: "Bearer x",
      cookie: `reprise_token=${TOKEN}`,
    }),
    401,
  );
});

test("[API-7] every answer carries the headers that keep browsers from making more of it", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  for (const path of [
    "/",
    "/health",
    "/api/sessions",
    "/nowhere",
    `/api/sessions/${id}/stream`,
  ]) {
    const { headers, body } = await ask(path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.equal(headers.get("cache-control"), "no-store", path);
    assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
    assert.match(
      headers.get("content-security-policy") ?? "",
      /default-src 'none'/,
    );
    await body?.cancel();
  }
});

test("[API-7] the page at / is plain text that says what to do", async () => {
  const { ask } = createFakeSite();
  const page = await ask("/");
  assert.match(page.headers.get("content-type") ?? "", /^text\/plain/);
  assert.match(await page.text(), /reprise session start/);
});
