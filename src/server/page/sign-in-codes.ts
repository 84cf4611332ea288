import { createHash, randomBytes } from "node:crypto";

const MAX_CODES = 32;
const LIFE_MS = 60_000;

/** Codes that sign in once, in the place of the token. In memory alone. */
export class SignInCodes {
  readonly #now: () => number;
  /** When each ends, by its digest: how long a look-up takes tells nothing of a code. Oldest first. */
  readonly #ends = new Map<string, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  make(): string {
    const code = randomBytes(32).toString("base64url");
    this.#ends.set(digest(code), this.#now() + LIFE_MS);
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > MAX_CODES && oldest !== undefined)
      this.#ends.delete(oldest);
    return code;
  }

  /** Whether it signs in. It does not a second time. */
  take(code: string): boolean {
    const ends = this.#ends.get(digest(code));
    this.#ends.delete(digest(code));
    return ends !== undefined && this.#now() < ends;
  }
}

const digest = (code: string): string =>
  createHash("sha256").update(code).digest("hex");
