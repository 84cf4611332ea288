/**
 * What somebody has typed and not sent. It is kept per session with the idempotency key under which it will be sent, and goes
 * only when the server has taken it: sending again after an answer was lost makes no second prompt.
 */
import { isRecord } from "../../../src/contract/base/is-record.ts";
import type { Shelf } from "./storage.ts";

export interface Draft {
  text: string;
  key: string;
  /** When it was last typed at. */
  at: number;
}

export const DRAFT = "reprise.draft.";
/** What is typed for a new session is kept by its form. */
export const NEW_DRAFT = "reprise.new";
/** More drafts are not kept: the oldest go. */
const MAX_DRAFTS = 200;

export interface DraftsOptions {
  shelf: Shelf;
  now: () => number;
  newKey: () => string;
}

export class Drafts {
  readonly #options: DraftsOptions;

  constructor(options: DraftsOptions) {
    this.#options = options;
  }

  /** `name`: a session's id, or `new`. */
  read(name: string): Draft | null {
    const text = this.#options.shelf.read(DRAFT + name);
    if (text === null) return null;
    try {
      const kept: unknown = JSON.parse(text);
      return isDraft(kept) ? kept : null;
    } catch {
      return null;
    }
  }

  /**
   * Keeps what is typed; false where it is kept only until the page is closed. The key stays the same while the text does: what
   * is changed after an attempt is another prompt.
   */
  write(name: string, text: string): boolean {
    if (text === "") {
      this.#options.shelf.remove(DRAFT + name);
      return true;
    }
    const before = this.read(name);
    const key = before?.text === text ? before.key : this.#options.newKey();
    const isKept = this.#put(name, { text, key, at: this.#options.now() });
    if (before === null) this.#limit();
    return isKept;
  }

  /** The server has taken what was sent under this key. What was typed since stays. */
  taken(name: string, key: string): void {
    if (this.read(name)?.key === key) this.#options.shelf.remove(DRAFT + name);
  }

  #put(name: string, draft: Draft): boolean {
    const { shelf } = this.#options;
    const text = JSON.stringify(draft);
    if (shelf.write(DRAFT + name, text)) return true;
    // The newest draft matters most: older ones make room for it.
    for (const { name: older } of this.#byAge()) {
      if (older === name) continue;
      shelf.remove(DRAFT + older);
      if (shelf.write(DRAFT + name, text)) return true;
    }
    return false;
  }

  #limit(): void {
    const drafts = this.#byAge();
    for (const { name } of drafts.slice(0, -MAX_DRAFTS))
      this.#options.shelf.remove(DRAFT + name);
  }

  #byAge(): { name: string; at: number }[] {
    return this.#options.shelf
      .keys()
      .filter((key) => key.startsWith(DRAFT))
      .map((key) => key.slice(DRAFT.length))
      .map((name) => ({ name, at: this.read(name)?.at ?? 0 }))
      .sort((a, b) => a.at - b.at);
  }
}

const isDraft = (value: unknown): value is Draft =>
  isRecord(value) &&
  typeof value["text"] === "string" &&
  typeof value["key"] === "string" &&
  typeof value["at"] === "number";
