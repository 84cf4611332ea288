import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import {
  chmod,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect, createServer, type TLSSocket } from "node:tls";
import { scratch } from "../../agents/fixtures/scratch.ts";
import { fingerprintOf, loadOrMakeCertificate } from "./certificate.ts";

const CERT = "certificate.pem";
const KEY = "certificate-key.pem";

test("[LNK-110] the certificate is one of Ed25519, signed by itself, without an end", async (t) => {
  const directory = scratch(t);
  const { cert, key, fingerprint } = await loadOrMakeCertificate(directory);
  const read = new X509Certificate(cert);
  assert.equal(read.publicKey.asymmetricKeyType, "ed25519");
  assert.equal(read.verify(read.publicKey), true);
  assert.equal(read.subject, "CN=reprise agentctl");
  assert.equal(read.issuer, read.subject);
  assert.match(read.validFrom, /2020/);
  assert.match(read.validTo, /9999/);
  assert.match(fingerprint, /^sha256:[0-9a-f]{64}$/);
  assert.equal(
    fingerprint,
    `sha256:${read.fingerprint256.replaceAll(":", "").toLowerCase()}`,
  );
  assert.equal((await stat(join(directory, KEY))).mode & 0o777, 0o600);
  assert.match(key, /PRIVATE KEY/);
});

test("[LNK-110] a client sees it over TLS 1.3", async (t) => {
  const { cert, key, fingerprint } = await loadOrMakeCertificate(scratch(t));
  const server = createServer({ cert, key, minVersion: "TLSv1.3" });
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const client: TLSSocket = connect({
    host: "127.0.0.1",
    port: address.port,
    rejectUnauthorized: false,
  });
  await once(client, "secureConnect");
  assert.equal(client.getProtocol(), "TLSv1.3");
  const seen = client.getPeerX509Certificate();
  assert.ok(seen);
  assert.equal(fingerprintOf(seen.raw), fingerprint);
  client.destroy();
});

test("[LNK-110] it is made once, also by many at the same time, and a lost certificate is made again as it was", async (t) => {
  const directory = scratch(t);
  const all = await Promise.all(
    Array.from({ length: 8 }, () => loadOrMakeCertificate(directory)),
  );
  assert.equal(new Set(all.map(({ fingerprint }) => fingerprint)).size, 1);
  assert.deepEqual((await readdir(directory)).sort(), [KEY, CERT]);
  await rm(join(directory, CERT));
  assert.deepEqual(await loadOrMakeCertificate(directory), all[0]);
});

for (const [what, file, text] of [
  ["a damaged key", KEY, "-----BEGIN PRIVATE KEY-----\nAAAA\n"],
  ["an empty key", KEY, ""],
  ["a damaged certificate", CERT, "certainly none"],
] as const)
  test(`[LNK-110] ${what} is told and left as it is`, async (t) => {
    const directory = scratch(t);
    await loadOrMakeCertificate(directory);
    const path = join(directory, file);
    await writeFile(path, text);
    await assert.rejects(loadOrMakeCertificate(directory), {
      code: "damaged",
      message: /certificate.*remove both/,
    });
    assert.equal(await readFile(path, "utf8"), text);
  });

test("[LNK-110] a certificate of another key is refused, and so is a key that others can read", async (t) => {
  const [directory, other] = [scratch(t), scratch(t)];
  await loadOrMakeCertificate(directory);
  const { cert } = await loadOrMakeCertificate(other);
  await writeFile(join(directory, CERT), cert);
  await assert.rejects(loadOrMakeCertificate(directory), {
    code: "damaged",
    message: /is not the certificate of/,
  });
  await chmod(join(other, KEY), 0o644);
  await assert.rejects(loadOrMakeCertificate(other), { code: "not_private" });
});
