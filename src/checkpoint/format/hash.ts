import { hash } from "node:crypto";

/** SHA-256, in hexadecimal. */
export type Hash = string;

export const HASH_BYTES = 32;

export const hashOf = (bytes: Uint8Array): Hash => hash("sha256", bytes, "hex");

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
