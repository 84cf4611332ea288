/** What becomes of agentctl while an agent runs. Only changes are recorded. */
import {
  type AgentctlFacts,
  type ReadyAgentctl,
  readyAgentctl,
} from "../state/agentctl.ts";
import { keysOf } from "../../contract/base/keys-of.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { Command } from "../state/command.ts";
import { isLocal } from "../../contract/base/place.ts";
import { placeOf } from "../state/place.ts";
import type { State } from "../state/state.ts";
import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";

export const reportAgentctl = (
  draft: Draft,
  { agentctl: report }: Extract<Command, { type: "agentctl.report" }>,
): Decision => {
  const { agentctl: known } = draft.state;
  if (!isAwaited(draft.state)) return draft.done();
  const { kind: runtime } = placeOf(draft.state);
  switch (report.status) {
    case "starting":
      tellStarting(draft);
      break;
    case "reached":
      tellReached(draft, report.facts);
      break;
    case "ready":
      tellReady(draft, report.facts);
      break;
    case "error": {
      const { code, message } = report;
      if (known?.status !== "error" || known.message !== message)
        draft.emit({
          type: "session.agentctl_error",
          data: { runtime, code, message },
        });
      break;
    }
    default:
      return unreachable(report);
  }
  return draft.done();
};

/** For an agent that runs. One that is to be started on another host waits until that can be reached. */
const isAwaited = ({ execution, lifecycle, workspace }: State): boolean =>
  execution !== null ||
  (lifecycle.name === "STARTING" && !isLocal(workspace.place));

/** It was looked for, and is there. */
export const tellReached = (draft: Draft, facts: AgentctlFacts): void => {
  tellStarting(draft);
  tellReady(draft, facts);
};

const tellStarting = (draft: Draft): void => {
  const { agentctl: known } = draft.state;
  const { kind: runtime } = placeOf(draft.state);
  // After an error it is tried again and again; the next news is that it is there.
  if (known === null || known.status === "ready")
    draft.emit({ type: "session.agentctl_starting", data: { runtime } });
};

const tellReady = (draft: Draft, facts: AgentctlFacts): void => {
  const { agentctl: known } = draft.state;
  if (known?.status !== "ready" || !isSame(known, readyAgentctl(facts)))
    draft.emit({ type: "session.agentctl_ready", data: facts });
};

const isSame = (a: ReadyAgentctl, b: ReadyAgentctl): boolean =>
  keysOf(a).every((key) => a[key] === b[key]);
