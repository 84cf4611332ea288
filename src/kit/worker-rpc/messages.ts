/**
 * What a thread of ours and its owner say to each other.
 *
 *   owner ── requests[] ──► thread      of one turn of the event loop, or one by one
 *   owner ◄── answers[] ─── thread
 *   owner ◄──── note ────── thread      what is no answer: a warning, say
 *   owner ──── "close" ───► thread      only when nothing is unanswered
 *
 * A failure crosses as a plain value with a code: an error would lose its class, and with it its code.
 */

/** The calls a thread takes: by name, what is asked and what is answered. */
export type Calls<C> = Record<keyof C, { query: unknown; answer: unknown }>;

export type Request<C extends Calls<C>> = {
  [K in keyof C]: {
    id: number;
    kind: K;
    query: C[K]["query"];
    /** Its first 32 bits are 1 once the call is called off. */
    abort?: SharedArrayBuffer;
  };
}[keyof C];

export type Answer<F> =
  { id: number; value: unknown } | { id: number; failure: F };

export type ToThread<C extends Calls<C>> = readonly Request<C>[] | "close";

export type FromThread<F, N> = readonly Answer<F>[] | { note: N };
