import type { Command } from "../state/command.ts";
import {
  decideStart,
  type SessionOpening,
  type StartRefusal,
} from "../resume/resume.ts";
import { placeOf } from "../state/place.ts";
import type { State } from "../state/state.ts";
import type { WorldReport } from "../state/world-report.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { tellReached } from "./agentctl.ts";
import { endExecution, failStart } from "./close.ts";
import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { recordInstructionFiles } from "./instruction-files.ts";
import { credentialsLabel } from "../state/credentials-label.ts";

/** agentctl is there: a new execution begins, or the reason why it cannot is recorded. */
export const begin = (
  draft: Draft,
  command: Extract<Command, { type: "execution.begin" }>,
): Decision => {
  const { state } = draft;
  if (state.execution !== null) return draft.done();
  draft.emit({ type: "session.agentctl_ready", data: command.agentctl });
  recordInstructionFiles(draft, command.report);
  const decision = decideStart(state, command.report);
  if (decision.kind === "refuse")
    failStart(draft, explain(decision.reason, state, command.report), {
      code: decision.reason,
    });
  else {
    const { without = [] } = command;
    if (without.length > 0)
      draft.notice("warning", "credentials_missing", MISSING);
    draft.emit({
      type: "session.execution.started",
      data: {
        execution_id: command.execution_id,
        epoch:
          Math.max(state.executions_so_far.epoch, command.report.epoch ?? 0) +
          1,
        term: command.term,
        place: state.workspace.place,
        ...(command.agentctl.place_id !== undefined && {
          place_id: command.agentctl.place_id,
        }),
        path: decision.path,
        ...openingData(decision.opening),
        rebuild: decision.rebuild,
        ...credentialsLabel(command),
        ...(without.length > 0 && { without: [...without] }),
      },
    });
  }
  return draft.done();
};

const MISSING =
  "The server keeps credentials in memory alone and no longer has those that waiting prompts were sent with, as after its restart. These prompts are answered with the server's own credentials. If the agent cannot log in with them, send a prompt or resume the session with yours.";

const openingData = (opening: SessionOpening) => {
  const { strategy } = opening;
  if (strategy === "native") return { strategy, token: opening.token };
  const failed = strategy === "none" ? null : opening.failed;
  return { strategy, token: null, ...(failed !== null && { failed }) };
};

const explain = (
  reason: StartRefusal,
  { workspace: { cwd }, agent: { definition } }: State,
  { defined = true }: WorldReport,
): string => {
  switch (reason) {
    case "workspace_missing":
      return `The working directory ${cwd} does not exist any more, and there is no checkpoint of it. Put it back, then resume.`;
    case "workspace_not_a_directory":
      return `${cwd} is not a directory any more. Put the directory back, then resume.`;
    case "agent_not_installed":
      if (!defined)
        return `The agent ${definition.agent} is not known here: config.json no longer defines it. Define it there, start the server again, then resume. The workspace stays accessible.`;
      return `The agent ${definition.agent} is not installed here. Install it, then resume. The workspace stays accessible.`;
    default:
      return unreachable(reason);
  }
};

/** The execution could not be launched, or agentctl could not be reached. */
export const fail = (
  draft: Draft,
  { epoch, code, message }: Extract<Command, { type: "execution.fail" }>,
): Decision => {
  const { execution } = draft.state;
  if (epoch !== (execution?.epoch ?? null)) return draft.done();
  // What is missing on this side is no fault of agentctl.
  if (code !== "variable_missing" && code !== "sandbox_unavailable")
    draft.emit({
      type: "session.agentctl_error",
      data: { runtime: placeOf(draft.state).kind, code, message },
    });
  failStart(draft, message, {
    ...(code === "agentctl_unavailable" && { code }),
    ...(code === "sandbox_unavailable" && { failure: code }),
  });
  endExecution(draft, {
    ending: { kind: "vanished" },
    stderr_tail: "",
    evidence: "none",
  });
  return draft.done();
};

/** The process never stopped: only the link to it was gone. One that is told to stop meanwhile is not back. */
export const reattach = (
  draft: Draft,
  {
    epoch,
    took_ms,
    agentctl,
  }: Extract<Command, { type: "execution.reattach" }>,
): Decision => {
  if (draft.state.execution?.epoch !== epoch) return draft.done();
  tellReached(draft, agentctl);
  if (draft.state.execution.phase.kind !== "ready") return draft.done();
  draft.emit({
    type: "session.resumed",
    data: {
      resume: {
        path: "reattach",
        strategy: "none",
        grade: "reattached",
        verified: true,
        workspace: null,
        lost: null,
        took_ms: Math.round(took_ms),
      },
    },
  });
  return draft.done();
};

const REPLACED =
  "Another agentctl answers where the agent was started, without what the first one kept. The agent counts as gone. Where it still runs, nobody hears it.";

/** Nobody who could tell knows this execution any more: it is let go (P10). */
export const lose = (
  draft: Draft,
  { epoch, reason }: Extract<Command, { type: "execution.lose" }>,
): Decision => {
  if (draft.state.execution?.epoch !== epoch) return draft.done();
  if (reason === "place_replaced")
    draft.notice("warning", "place_replaced", REPLACED);
  endExecution(draft, {
    ending: { kind: "vanished" },
    stderr_tail: "",
    evidence: "none",
  });
  return draft.done();
};
