import type { PlaceRef } from "../../contract/base/place.ts";
import type { Budget } from "../../contract/base/budget.ts";
import type { OnQuota } from "../../contract/agent/on-quota.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { Retention } from "../../session/view/retention.ts";
import type { Patience } from "../../session/view/trouble.ts";
import type { AgentSessionDeps } from "../callers/agent-session.ts";
import type { ProfileDeps } from "../callers/chosen-profile.ts";
import type { Engine, SessionCommits } from "../sessions/session-journal.ts";
import type { Captures } from "../places/captures.ts";
import type { Lanes } from "../../kit/time/lanes.ts";
import type { HeldPlaces } from "../places/held-places.ts";
import type { Places } from "../places/places.ts";
import type { Sightings } from "../places/sightings.ts";
import type { Receipts } from "../../journal/receipts.ts";
import type {
  Ages,
  Clock,
  ForkNotes,
  Ids,
  Log,
  OwnDirectories,
  Room,
} from "../ports/home.ts";
import type { Recovery } from "../recovery/recovery.ts";

/** What operations work with. */
export interface OperationDeps extends AgentSessionDeps, ProfileDeps {
  engine: Engine;
  receipts: Receipts;
  held: HeldPlaces;
  lanes: Lanes;
  commits: SessionCommits;
  places: Places;
  recovery: Recovery;
  ids: Ids;
  clock: Clock;
  /** By which tasks are written. */
  term: number;
  /** Other hosts on which sessions can be started; no two have the same name. */
  hosts: readonly PlaceRef[];
  /** By which it is told how old sessions are. */
  ages: Ages;
  room: Room;
  captures: Captures;
  sightings: Sightings;
  /** Whether sessions are checkpointed unless they say otherwise. */
  checkpoints: boolean;
  /** What sessions may spend that do not say; null: whatever they take. */
  budget: Budget | null;
  /** What sessions do when their agent's quota is used up, unless they say. */
  onQuota?: OnQuota;
  /** How long one may take. */
  checkpointMs: number;
  /** Where a session without a directory of its own gets one. */
  workspaces: string;
  ownDirectories: OwnDirectories;
  forkNotes: ForkNotes;
  /** Of this program. */
  version: string;
  retention: Retention;
  /** What is known to be wrong with the database as a whole, in words. */
  storageDamage: () => readonly string[];
  /** Removes the readable files of a session. */
  discardRecords: (session: SessionId) => Promise<void>;
  log: Log;
  resumeDeadlineMs: number;
  /** Ends the waiting for sessions: the server closes, and nothing more becomes of them here. */
  closing: AbortSignal;
  /** How long upkeep waits for a place to answer, and then for what it does there. */
  reachMs: number;
  upkeepMs: number;
  patience: Patience;
}
