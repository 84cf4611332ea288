import type { RecoveryMode } from "../../contract/api/config.ts";

/** What a server does by itself when it starts. */
export interface StartUpPlan {
  /** Sessions that had an agent, or wait for one, are looked after (REC-2, REC-5). */
  settles: boolean;
  /** Sessions whose turn was cut off get their agent back (REC-3). */
  bringsBackCutOff: boolean;
  /** Sessions that wait for input get their agent back (REC-35). */
  bringsBackIdle: boolean;
  /** Whose turns go on when their time has come: those that this server cut off, or all (REC-56). */
  dueTurns: "own" | "all";
}

/** What each mode of recovery means. Nothing else asks which mode it is. */
// prettier-ignore
export const startUpPlans: Readonly<Record<RecoveryMode, StartUpPlan>> = {
  off:     { settles: false, bringsBackCutOff: false, bringsBackIdle: false, dueTurns: "own" },
  lazy:    { settles: true,  bringsBackCutOff: false, bringsBackIdle: false, dueTurns: "all" },
  startup: { settles: true,  bringsBackCutOff: true,  bringsBackIdle: false, dueTurns: "all" },
  all:     { settles: true,  bringsBackCutOff: true,  bringsBackIdle: true,  dueTurns: "all" },
};
