import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { keysIn, signatureOf } from "../../src/webhooks/message/signature.ts";

const secret = (bytes = 32): string =>
  `whsec_${randomBytes(bytes).toString("base64")}`;

void test("[WHK-7] signatures are those of the standardwebhooks package, and it verifies them", () => {
  for (const body of ["{}", '{"text":"Ü 日本 🙂"}', "x".repeat(19_000)]) {
    const text = secret();
    const keys = keysIn(text);
    assert.ok(keys !== null);
    const id = "evt_ses_01jm_12";
    const seconds = Math.floor(Date.now() / 1000);
    const signature = signatureOf(keys, id, seconds, body);
    const theirs = new Webhook(text);
    assert.equal(signature, theirs.sign(id, new Date(seconds * 1000), body));
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": signature,
    };
    if (body.startsWith("{")) theirs.verify(body, headers);
    assert.throws(() => theirs.verify(`${body} `, headers));
  }
});

void test("[WHK-3] every secret of a file signs, so that each of them verifies", () => {
  const [older, newer] = [secret(), secret(24)];
  const keys = keysIn(`\n${older}\n  ${newer.slice("whsec_".length)}\n`);
  assert.equal(keys?.length, 2);
  const seconds = Math.floor(Date.now() / 1000);
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatureOf(keys, "evt_1", seconds, "{}"),
  };
  for (const each of [older, newer]) new Webhook(each).verify("{}", headers);
});

void test("[WHK-3] what holds no secret, or one that is too short or too long, is none", () => {
  for (const text of [
    "",
    "\n",
    "whsec_",
    "hunter2",
    "not base64 at all!",
    secret(23),
    secret(65),
    `${secret()}\nhunter2`,
  ])
    assert.equal(keysIn(text), null, text);
});
