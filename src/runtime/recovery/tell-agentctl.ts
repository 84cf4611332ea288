import { isSuperseded } from "../../journal/superseded.ts";
import type { Command } from "../../session/state/command.ts";
import type { State } from "../../session/state/state.ts";
import { isSessionDamaged } from "../failures/session-damaged.ts";
import { isSessionGone } from "../failures/session-gone.ts";
import { isStorageTrouble } from "../failures/storage-trouble.ts";
import type { RecoveryDeps } from "./recovery-deps.ts";

export type AgentctlNews = Extract<
  Command,
  { type: "agentctl.report" }
>["agentctl"];

/** Records in a session that has an execution, or is to get one, how it goes with its agentctl (REC-34). A full disk stops no recovery. */
export const tellAgentctl = async (
  { engine }: Pick<RecoveryDeps, "engine">,
  { id, execution, lifecycle }: State,
  agentctl: AgentctlNews,
): Promise<void> => {
  if (execution === null && lifecycle.name !== "STARTING") return;
  try {
    await engine.issue(id, { type: "agentctl.report", agentctl });
  } catch (error) {
    if (!isStorageTrouble(error) && !isOutOfReach(error)) throw error;
  }
};

/** The session was purged, is damaged, or another server has it. Whoever asks for it is told so. */
export const isOutOfReach = (error: unknown): boolean =>
  isSessionGone(error) || isSessionDamaged(error) || isSuperseded(error);
