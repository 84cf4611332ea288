import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { patience } from "../../kit/fixtures/patience.ts";
import { WebSocket } from "ws";
import { MAX_BODY_BYTES } from "../../contract/api/request.ts";
import {
  address,
  connectClient,
  refusedUpgrade,
} from "../fixtures/fake-client.ts";
import { pageCookieOf } from "../door/page-cookie.ts";
import { listenFakeSite, TOKEN } from "../fixtures/fake-site.ts";

const bearer = { authorization: `Bearer ${TOKEN}` };

test("[API-50] a foreign Host, Origin or site, and a missing or wrong token are refused before the upgrade", async () => {
  await using site = await listenFakeSite();
  const url = address(site);
  const refuse = async (
    headers: Record<string, string>,
    protocols?: string[],
  ) => {
    const { status, code } = await refusedUpgrade(url, { headers }, protocols);
    return `${status} ${code}`;
  };
  assert.equal(
    await refuse({ ...bearer, host: "evil.example" }),
    "403 forbidden_host",
  );
  assert.equal(
    await refuse({ ...bearer, origin: "https://evil.example" }),
    "403 forbidden_origin",
  );
  assert.equal(
    await refuse({ ...bearer, origin: "http://127.0.0.1:3000" }),
    "403 forbidden_origin",
  );
  assert.equal(
    await refuse({ ...bearer, "sec-fetch-site": "cross-site" }),
    "403 forbidden_origin",
  );
  assert.equal(await refuse({}), "401 unauthorized");
  assert.equal(
    await refuse({ authorization: "Bearer no" }),
    "401 unauthorized",
  );
  assert.equal(
    await refuse({ cookie: "reprise_token=no" }),
    "401 unauthorized",
  );
  assert.equal(await refuse({}, ["bearer.no"]), "401 unauthorized");
});

test("[API-50] the token does not count in the address, and there is only one WebSocket", async () => {
  await using site = await listenFakeSite();
  const asked = await refusedUpgrade(`${address(site)}?token=${TOKEN}`, {});
  assert.equal(asked.status, 401);
  const elsewhere = await refusedUpgrade(`ws://127.0.0.1:${site.port}/other`, {
    headers: bearer,
  });
  assert.deepEqual(elsewhere, { status: 404, code: "not_found" });
});

test("[API-51] [API-6] the token comes by header, cookie or subprotocol, which is echoed", async () => {
  await using site = await listenFakeSite();
  const opened = async (
    headers: Record<string, string>,
    protocols: string[] = [],
  ) => {
    const ws = new WebSocket(address(site), protocols, { headers });
    await once(ws, "open");
    ws.close();
    return ws.protocol;
  };
  const origin = `http://127.0.0.1:${site.port}`;
  assert.equal(await opened({ ...bearer, origin }), "");
  assert.equal(await opened({ cookie: `reprise_token=${TOKEN}`, origin }), "");
  const name = `bearer.${TOKEN}`;
  assert.equal(await opened({ origin }, ["other", name]), name);
});

test("[PAG-9] a cookie opens no WebSocket for what says no origin", async () => {
  await using site = await listenFakeSite();
  const { name, value } = pageCookieOf(TOKEN);
  const headers = { cookie: `${name}=${value}` };
  assert.deepEqual(await refusedUpgrade(address(site), { headers }), {
    status: 403,
    code: "forbidden_origin",
  });
});

test("[API-59] a client that does not answer pings is cut off, one that does is not", async () => {
  await using site = await listenFakeSite({}, { pingMs: patience(500) });
  const alive = await connectClient(site);
  const dead = await connectClient(site, { autoPong: false });
  await once(dead.ws, "close");
  const { id } = site.house.addSession();
  await alive.call("task.session.status", { session_id: id });
});

test("[API-60] a frame that is too large or not UTF-8 closes its connection and nothing else", async () => {
  await using site = await listenFakeSite();
  const [large, broken, other] = [
    await connectClient(site),
    await connectClient(site),
    await connectClient(site),
  ];
  large.ws.on("error", () => {});
  large.send("x".repeat(MAX_BODY_BYTES + 1));
  assert.equal((await once(large.ws, "close"))[0], 1009);
  broken.ws.send(Buffer.from([0xff, 0xfe]), { binary: false });
  assert.equal((await once(broken.ws, "close"))[0], 1007);
  const { id } = site.house.addSession();
  await other.call("task.session.status", { session_id: id });
});

test("[API-61] a server that stops says goodbye", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  await client.call("session.subscribe", { session_id: id });
  const closed = once(client.ws, "close");
  await site.close();
  assert.equal((await closed)[0], 1001);
  await site.house.allFeedsClosed();
});
