/** One session in a run, and all that is known about it from outside. */
import type { Event } from "../../src/contract/event/event.ts";
import type { StateName } from "../../src/contract/session/state.ts";
import type { Witness } from "./witness/witness.ts";
import type { Words } from "./user/speech.ts";

export interface Sent extends Words {
  tag: string;
  /** Every answer the server gave to it, also to the same key again. */
  acknowledged: string[];
}

export interface Answered {
  permission: string;
  option: string;
}

/** A moment at which nothing of a session ran: what was on the disk is what its newest checkpoint must hold. */
export interface Rest {
  seq: number;
  tree: string;
  /** Told by programs that are not ours. */
  listing: readonly string[];
}

/** What was taken away from a session that rested. */
export interface Loss {
  seq: number;
  workspace: boolean;
  /** The agent's own session file, of which a checkpoint has a copy. */
  memory: boolean;
}

export interface Play {
  /** What this run calls it. */
  name: string;
  id: string;
  /** Where it goes on from another one. */
  parent: { play: Play; turn: number } | null;
  agent: string;
  /** Its working directory and its ledger. */
  cwd: string;
  ledger: string;
  sent: Sent[];
  /** Permission answers that the server has acknowledged. */
  answered: Answered[];
  witnesses: Witness[];
  /** What its feed shows now. */
  shown: Shown;
  rests: Rest[];
  losses: Loss[];
  /** Something was taken away from it while it did not rest: nothing can be said of its workspace. */
  disturbed: boolean;
}

export interface Shown {
  state: StateName;
  queued: Set<string>;
  unresolved: Set<string>;
  pending: Map<string, readonly string[]>;
  /** The turns that left a checkpoint. */
  captured: Set<number>;
}

export const blankShown = (): Shown => ({
  state: "CREATED",
  queued: new Set(),
  unresolved: new Set(),
  pending: new Map(),
  captured: new Set(),
});

export const show = (shown: Shown, event: Event): void => {
  switch (event.type) {
    case "session.state_changed":
      shown.state = event.data.to;
      return;
    case "session.prompt.queued":
    case "session.prompt.requeued":
      shown.queued.add(event.data.prompt_id);
      return;
    case "session.turn.started":
    case "session.prompt.cancelled":
      shown.queued.delete(event.data.prompt_id);
      return;
    case "session.turn.interrupted":
    case "session.prompt.uncertain":
      shown.unresolved.add(event.data.prompt_id);
      return;
    case "session.prompt.resolved":
      shown.unresolved.delete(event.data.prompt_id);
      return;
    case "session.permission.requested": {
      const { id, options } = event.data.permission;
      shown.pending.set(
        id,
        options.map((option) => option.id),
      );
      return;
    }
    case "session.permission.answered":
    case "session.permission.closed":
      shown.pending.delete(event.data.id);
      return;
    case "session.checkpoint.saved":
    case "session.checkpoint.partial": {
      const { kind, turn } = event.data.checkpoint;
      if (kind === "turn" || kind === "baseline") shown.captured.add(turn);
      return;
    }
    case "session.rewound":
      shown.unresolved.clear();
      return;
    default:
      return;
  }
};
