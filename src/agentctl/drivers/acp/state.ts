import type {
  Abilities,
  AgentDefinition,
} from "../../../contract/agent/agent.ts";
import type { Offered } from "../../../contract/agent/offered.ts";
import type { Restriction } from "../../../contract/agent/restriction.ts";
import type { PromptId } from "../../../contract/base/id.ts";
import {
  emptyMap,
  type PersistentMap,
} from "../../../kit/data/persistent-map.ts";
import type {
  Effect,
  Known,
  Outgoing,
  Purpose,
  Ready,
  Want,
} from "../driver.ts";
import type { RpcId } from "./message.ts";
import type { OfferedAnswer } from "./options.ts";

/**
 *     initializing ──► opening ──► settling ──► configuring ──► open
 *          │              │ └── a native session failed: opening a new one
 *          └──────────────┴──► failed
 *
 * It settles only where a replay trails in after the answer to a load.
 */
export type Phase =
  | { kind: "initializing" }
  | OpeningPhase
  | Settling
  | Configuring
  | { kind: "open"; session_id: string; abilities: Abilities }
  | { kind: "failed" };

export interface OpeningPhase {
  kind: "opening";
  how: How;
  hello: Hello;
  failed: Ready["failed"];
  /** Messages of the person that were replayed, and the id of the one that is. */
  replayed: number;
  replaying: string | null;
  /** What its answer offered to choose from. */
  offer?: Offered;
}

export interface Settling {
  kind: "settling";
  opening: OpeningPhase;
  /** The question whose answer is waited for. */
  round: number;
  /** How many rounds went by in which nothing was replayed. */
  quiet: number;
}

/** Model, mode and options are set one after the other, each time a session was opened. */
export interface Configuring {
  kind: "configuring";
  ready: Omit<Ready, "range">;
  left: readonly Change[];
  /** What there is to choose from, and what is chosen by now. */
  offer: Offered;
  /** What the agent did not offer. */
  notices: readonly Extract<Effect, { kind: "notice" }>[];
}

export interface Change {
  /** Tells it from the others that are made with it. */
  key: string;
  what: "model" | "mode" | "option";
  value: string;
  /** The option that is set, where it is set as one. */
  configId?: string;
  message: Outgoing;
}

/** What a message is called by, so that its answer is recognised, and what it is for. */
export type Slot = (key: string) => { what: string; purpose: Purpose };

export const atStart: Slot = (key) => ({
  what: key,
  purpose: { kind: "open", what: key },
});

/** Settings of an open session that are being changed, one after the other. */
export interface Changing {
  change: number;
  /** As it is to be. */
  definition: AgentDefinition;
  left: readonly Change[];
  /** What sets back those that were made, the last one first. */
  undo: readonly Change[];
  offer: Offered;
  /** Why it is being undone. */
  restriction: Restriction | null;
}

export type How = "new" | "resume" | "load";

/** What the agent said about itself. */
export interface Hello {
  abilities: Abilities;
  agent_info: Ready["agent_info"];
}

export interface AcpState {
  phase: Phase;
  /** What the agent's own session is resumed by, when that is not the id it opened with. */
  token: string | null;
  /** Prompts handed over before the session was open. */
  waiting: readonly Extract<Want, { kind: "prompt" }>[];
  changing: Changing | null;
  /** Changes that wait for the one under way. */
  changes: readonly Extract<Want, { kind: "change" }>[];
  /** Prompts sent and not yet answered. */
  running: readonly PromptId[];
  /** Permission requests of the agent that have no answer yet, by the permission's id. */
  asked: PersistentMap<Asked>;
  /** Offsets of requests that were answered before this fold began. */
  answered: ReadonlySet<number>;
}

export interface Asked {
  id: RpcId;
  /** Where in stdout. */
  at: number;
  options: readonly OfferedAnswer[];
}

export const begun: AcpState = {
  phase: { kind: "initializing" },
  token: null,
  waiting: [],
  changing: null,
  changes: [],
  running: [],
  asked: emptyMap,
  answered: new Set(),
};

export const restored = ({
  ready,
  token,
  running,
  answered,
}: Known): AcpState => ({
  ...begun,
  phase:
    ready === null
      ? begun.phase
      : {
          kind: "open",
          session_id: ready.native_session_id ?? "",
          abilities: ready.abilities,
        },
  token,
  running,
  answered,
});
