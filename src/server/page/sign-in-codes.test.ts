import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeSite, HOST, TOKEN } from "../fixtures/fake-site.ts";
import { SignInCodes } from "./sign-in-codes.ts";

test("[RUN-21] a code is taken once and for a minute, and the oldest makes way", () => {
  let now = 0;
  const codes = new SignInCodes(() => now);
  const first = codes.make();
  assert.equal(codes.take(first), true);
  assert.equal(codes.take(first), false);
  const late = codes.make();
  now += 60_000;
  assert.equal(codes.take(late), false);
  const oldest = codes.make();
  const others = Array.from({ length: 32 }, () => codes.make());
  assert.equal(new Set(others).size, 32);
  assert.equal(codes.take(oldest), false);
  assert.ok(others.every((code) => codes.take(code)));
  assert.equal(codes.take(""), false);
});

test("[RUN-21] a code signs in in the place of the token, once; who has no token gets none", async () => {
  const { app, log } = createFakeSite();
  const origin = `http://${HOST}`;
  const make = (headers: Record<string, string>) =>
    app.request("/api/page/code", {
      method: "POST",
      headers: { host: HOST, ...headers },
    });
  assert.equal((await make({})).status, 401);
  assert.equal((await make({ authorization: "Bearer wrong" })).status, 401);
  const made = await make({ authorization: `Bearer ${TOKEN}` });
  const { code } = await made.json();
  const signIn = () =>
    app.request("/api/page/session", {
      method: "POST",
      headers: { host: HOST, origin, "content-type": "application/json" },
      body: JSON.stringify({ token: code }),
    });
  const signedIn = await signIn();
  assert.equal(signedIn.status, 204);
  assert.match(signedIn.headers.get("set-cookie") ?? "", /HttpOnly/);
  assert.equal((await signIn()).status, 401);
  const asToken = await app.request("/api/sessions", {
    headers: { host: HOST, authorization: `Bearer ${code}` },
  });
  assert.equal(asToken.status, 401);
  assert.doesNotMatch(JSON.stringify(log.lines), new RegExp(code));
});
