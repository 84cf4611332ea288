/**
 * The certificate that an agentctl shows on the network. It is self-signed and names nobody: servers know it by its
 * fingerprint. Everything in it follows from the key, so a lost certificate is made again and is the same.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from "node:crypto";
import { join } from "node:path";
import { createDurably } from "../../kit/files/durable-file.ts";
import { readOurs } from "../../kit/files/own-file.ts";
import { readPrivate } from "../../kit/files/private-file.ts";
import { UnusableFile } from "../../kit/files/unusable-file.ts";

export const CERTIFICATE_FILE = "certificate.pem";
export const CERTIFICATE_KEY_FILE = "certificate-key.pem";

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly fingerprint: string;
}

/** Made by whoever needs it first; of several at once all get the same. What is damaged is told and left as it is. */
export const loadOrMakeCertificate = async (
  directory: string,
): Promise<Certificate> => {
  const keyPath = join(directory, CERTIFICATE_KEY_FILE);
  const path = join(directory, CERTIFICATE_FILE);
  const key = await loadOrMake(keyPath, readPrivate, newKey);
  const privateKey = parsed(keyPath, () => createPrivateKey(key));
  const cert = await loadOrMake(path, readOurs, () => selfSigned(privateKey));
  const certificate = parsed(path, () => new X509Certificate(cert));
  if (!certificate.checkPrivateKey(privateKey))
    throw damaged(path, `is not the certificate of ${CERTIFICATE_KEY_FILE}`);
  return { cert, key, fingerprint: fingerprintOf(certificate.raw) };
};

export const fingerprintOf = (der: Uint8Array): string =>
  `sha256:${createHash("sha256").update(der).digest("hex")}`;

const loadOrMake = async (
  path: string,
  read: (path: string) => Promise<string | null>,
  make: () => string,
): Promise<string> => {
  const found = await read(path);
  if (found !== null) return found;
  await createDurably(path, make());
  return (await read(path)) ?? "";
};

const parsed = <T>(path: string, parse: () => T): T => {
  try {
    return parse();
  } catch {
    throw damaged(path, "cannot be read");
  }
};

const damaged = (path: string, how: string): UnusableFile =>
  new UnusableFile(
    "damaged",
    `${path} ${how}. Put the file back from a copy, or remove both ${CERTIFICATE_FILE} and ${CERTIFICATE_KEY_FILE}: new ones are made, and servers need the new fingerprint in their config.json.`,
  );

const newKey = (): string =>
  generateKeyPairSync("ed25519")
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();

const selfSigned = (key: KeyObject): string => {
  const publicKey = createPublicKey(key).export({
    type: "spki",
    format: "der",
  });
  const digest = createHash("sha256").update(publicKey).digest();
  // A serial number is positive and has no leading zero byte.
  const serial = Buffer.concat([Buffer.of(0x01), digest.subarray(0, 15)]);
  const body = der(
    SEQUENCE,
    der(CONTEXT_0, der(INTEGER, VERSION_3)),
    der(INTEGER, serial),
    ED25519,
    NAME,
    VALIDITY,
    NAME,
    publicKey,
  );
  const signature = Buffer.concat([Buffer.of(0), sign(null, body, key)]);
  const whole = der(SEQUENCE, body, ED25519, der(BIT_STRING, signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
};

/** One value of DER: its tag, its length, its bytes. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
};

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;
const CONTEXT_0 = 0xa0;

const VERSION_3 = Buffer.of(2);
/** 1.3.101.112 */
const ED25519 = der(SEQUENCE, der(OBJECT_ID, Buffer.of(0x2b, 0x65, 0x70)));
/** 2.5.4.3: the common name. */
const COMMON_NAME = der(OBJECT_ID, Buffer.of(0x55, 0x04, 0x03));
const NAME = der(
  SEQUENCE,
  der(
    SET,
    der(
      SEQUENCE,
      COMMON_NAME,
      der(UTF8_STRING, Buffer.from("reprise agentctl")),
    ),
  ),
);
/** It has no end that anybody chose (RFC 5280, 4.1.2.5), and no clock is late enough to find it too young. */
const VALIDITY = der(
  SEQUENCE,
  der(UTC_TIME, Buffer.from("200101000000Z")),
  der(GENERALIZED_TIME, Buffer.from("99991231235959Z")),
);
