/**
 * Where packs rest. Every pack is written once, from its beginning to its end, and never changed: a folder can do
 * that, and so can an object store or the far end of a link. Exactly one operation deletes.
 */
export interface Bytes extends Readable {
  /** Every pack that is complete, in any order. */
  list(): Promise<Stored[]>;
  /** Begins a pack. It is not there until it is sealed. */
  draft(name: string): Promise<Draft>;
  /** Nothing happens when it is gone already. */
  remove(name: string): Promise<void>;
  /** Gives back what reading holds. */
  close(): Promise<void>;
}

export interface Readable {
  /** So many bytes from this place. Fewer are a failure: `not_found` without the pack, `damaged` beyond its end. */
  read(name: string, offset: number, length: number): Promise<Uint8Array>;
}

export interface Stored {
  name: string;
  size: number;
}

/** A pack that is being written. */
export interface Draft {
  append(bytes: Uint8Array): Promise<void>;
  /** Resolves when the pack is durable and has its name. */
  seal(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

/** Letters, digits, dots and dashes: a name that every place can bear. */
export const isPackName = (name: string): boolean =>
  /^[a-z0-9][a-z0-9-]{0,80}\.pack$/.test(name);
