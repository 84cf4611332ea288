import type * as rpc from "../../kit/worker-rpc/messages.ts";
import type { Damage } from "../packs/damage.ts";
import type { FailureCode } from "../format/failure.ts";

/** A `VaultFailure` on its way from a thread. */
export interface Failed {
  code: FailureCode;
  message: string;
}

export type Answer = rpc.Answer<Failed>;

/** Something that is no answer but ought to be known. */
export type Note = { warning: string } | { damage: readonly Damage[] };

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
