import type { ByteString } from "./byte-string.ts";
import { VaultFailure } from "./failure.ts";
import { HASH_BYTES, type Hash } from "./hash.ts";

/** Puts a hash into a buffer, in half as many bytes as it has characters. */
export const putHash = (buffer: Buffer, hash: Hash, at: number): void => {
  buffer.write(hash, at, "hex");
};

/** Numbers are little-endian; a text is its length in two bytes, then its bytes. */
export class ByteWriter {
  #buffer: Buffer;
  #at = 0;

  constructor(expected: number) {
    this.#buffer = Buffer.allocUnsafe(Math.max(64, expected));
  }

  u8(value: number): void {
    this.#room(1);
    this.#at = this.#buffer.writeUInt8(value, this.#at);
  }

  u32(value: number): void {
    this.#room(4);
    this.#at = this.#buffer.writeUInt32LE(value, this.#at);
  }

  u64(value: bigint): void {
    this.#room(8);
    this.#at = this.#buffer.writeBigUInt64LE(value, this.#at);
  }

  i64(value: number): void {
    this.#room(8);
    // In halves: a number of 64 bits would be an object of its own.
    this.#at = this.#buffer.writeUInt32LE(value >>> 0, this.#at);
    this.#at = this.#buffer.writeInt32LE(Math.floor(value / 2 ** 32), this.#at);
  }

  text(value: ByteString): void {
    this.#room(2 + value.length);
    this.#at = this.#buffer.writeUInt16LE(value.length, this.#at);
    this.#at += this.#buffer.write(value, this.#at, "latin1");
  }

  hash(value: Hash): void {
    this.#room(HASH_BYTES);
    putHash(this.#buffer, value, this.#at);
    this.#at += HASH_BYTES;
  }

  raw(value: Uint8Array): void {
    this.#room(value.length);
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  #room(length: number): void {
    if (this.#at + length <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe((this.#at + length) * 2);
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

/** Reads what may be damaged: whatever does not fit is a failure, never a wrong value. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  u8(): number {
    return this.#buffer.readUInt8(this.#take(1));
  }

  u32(): number {
    return this.#buffer.readUInt32LE(this.#take(4));
  }

  u64(): bigint {
    return this.#buffer.readBigUInt64LE(this.#take(8));
  }

  i64(): number {
    const value = Number(this.#buffer.readBigInt64LE(this.#take(8)));
    if (!Number.isSafeInteger(value)) throw this.damage("a number too large");
    return value;
  }

  text(): ByteString {
    const length = this.#buffer.readUInt16LE(this.#take(2));
    const start = this.#take(length);
    return this.#buffer.toString("latin1", start, start + length);
  }

  hash(): Hash {
    const start = this.#take(HASH_BYTES);
    return this.#buffer.toString("hex", start, start + HASH_BYTES);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#buffer.length;
  }

  end(): void {
    if (!this.isAtEnd) throw this.damage("more than it says");
  }

  damage(what: string): VaultFailure {
    return new VaultFailure("damaged", `an object cannot be read: ${what}`);
  }

  #take(length: number): number {
    const start = this.#at;
    if (start + length > this.#buffer.length)
      throw this.damage("less than it says");
    this.#at = start + length;
    return start;
  }
}
