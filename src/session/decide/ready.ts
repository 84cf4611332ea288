import { canResumeNatively } from "../../contract/agent/agent.ts";
import type { ReportItem } from "../../contract/link/report.ts";
import { elapsedMs } from "../../kit/time/elapsed.ts";
import { gradeResume } from "../resume/grade.ts";
import type { Draft } from "./draft.ts";
import { startNextTurn } from "./start.ts";

/** The agent takes prompts. Coming back, it is graded: how much of its memory really came back is said, never assumed (P6). */
export const recordReady = (
  draft: Draft,
  item: Extract<ReportItem, { kind: "ready" }>,
): void => {
  const { execution, lifecycle } = draft.state;
  const { booted, token } = draft.state.agent;
  // After an attach agentctl says again what is known, standing for no bytes.
  if (execution?.phase.kind !== "starting" && item.range === null) return;
  if (
    execution === null ||
    execution.phase.kind !== "starting" ||
    lifecycle.name !== "STARTING"
  )
    return draft.notice(
      "info",
      "late_ready",
      "The agent became ready when it was no longer wanted.",
    );

  if (booted && item.failed?.reason === "unknown_session" && token !== null)
    draft.emit({
      type: "session.token.cleared",
      data: { token, reason: item.failed.message },
    });
  draft.emit({
    type: "session.agent.ready",
    data: {
      execution_id: execution.id,
      epoch: execution.epoch,
      token: canResumeNatively(item.abilities) ? item.native_session_id : null,
      abilities: item.abilities,
      agent_info: item.agent_info,
      opened: item.opened,
      ...(item.applied && { applied: item.applied }),
      ...(item.offered && { offered: item.offered }),
      ...(item.system_prompt && { system_prompt: item.system_prompt }),
    },
  });
  if (booted) {
    const resume = gradeResume(
      draft.state,
      item,
      elapsedMs(lifecycle.since, draft.at),
    );
    const forgotten = resume.grade === "native" ? (item.forgotten ?? 0) : 0;
    draft.emit({ type: "session.resumed", data: { resume, forgotten } });
    if (resume.lost !== null)
      draft.notice("warning", "context_lost", resume.lost);
  }
  draft.changed(
    "STARTING",
    "WAITING_FOR_INPUT",
    item.failed?.reason === "unknown_session" ? "unknown_token" : "ready",
  );
  startNextTurn(draft);
};
