import type { Damage } from "../packs/damage.ts";
import type { FailureCode } from "../format/failure.ts";

/** What a kind of thread can be asked, by name. */
export type CallMap<C> = Record<keyof C, { asked: unknown; answer: unknown }>;

/** One call on its way to a thread. */
export type Asked<C extends CallMap<C>> = {
  [K in keyof C]: {
    id: number;
    call: K;
    asked: C[K]["asked"];
    /** Set to 1 when it is called off. */
    abort: SharedArrayBuffer;
  };
}[keyof C];

export type Answered =
  | { id: number; answer: unknown }
  | { id: number; failure: { code: FailureCode; message: string } }
  /** Something that is no answer but ought to be known. */
  | { warning: string }
  | { damage: readonly Damage[] };

/** Who is told what is no answer. */
export interface Listener {
  warn: (warning: string) => void;
  damaged: (found: readonly Damage[]) => void;
}

/** Where a thread finds the vault. */
export interface VaultPaths {
  packs: string;
  cache: string;
  /** The file of what is known to be damaged. */
  damage: string;
  /** The folder of what is noted of restores that are under way. */
  restores: string;
}
