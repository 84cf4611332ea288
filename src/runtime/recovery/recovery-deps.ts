import type { AgentSessionDeps } from "../callers/agent-session.ts";
import type { Attachments } from "../places/attachments.ts";
import type { Places } from "../places/places.ts";
import type { Log } from "../ports/home.ts";
import type { SessionIntents } from "../sessions/session-intents.ts";
import type { Engine, SessionShelf } from "../sessions/session-journal.ts";
import type { Endings } from "./endings.ts";

/** What the steps of recovery work with. */
export interface RecoveryDeps extends AgentSessionDeps {
  engine: Engine;
  places: Places;
  intents: SessionIntents;
  shelf: SessionShelf;
  log: Log;
  /** How many agents may be coming up at a time. */
  startsAtATime: number;
  attachments: Attachments;
  endings: Endings;
  /** Fires when the server closes. */
  closing: AbortSignal;
  /** Takes work that nobody waits for: what it fails with is logged, and a server that closes waits for it. */
  follow: (work: Promise<unknown>) => void;
}
