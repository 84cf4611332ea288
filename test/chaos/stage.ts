/** What everybody in a run shares. */
import type { Client } from "../../src/client/client.ts";
import type { FileSystems } from "./file-systems/file-systems.ts";
import type { ChaosHouse } from "./house.ts";
import type { Play } from "./play.ts";
import type { ServerKeeper } from "./server.ts";
import type { Tally } from "./tally.ts";
import type { Violations } from "./violation.ts";
import type { Speech } from "./user/speech.ts";
import type { Where } from "./witness/witness.ts";

export interface Stage {
  seed: number;
  speech: Speech;
  house: ChaosHouse;
  fileSystems: FileSystems;
  server: ServerKeeper;
  client: Client;
  where: Where;
  plays: Play[];
  violations: Violations;
  tally: Tally;
  /** Processes that were killed or frozen: what becomes of them is our doing. */
  struck: Set<string>;
  /** Fires when users have to stop. */
  over: AbortSignal;
  /** Fires when witnesses have to stop. */
  curtain: AbortSignal;
}
