/** What becomes of an execution and of the agentctl that started it. */
import type { ResumeTrigger } from "../../contract/agent/resume.ts";
import { LOCAL } from "../../contract/base/place.ts";
import type { EventDataOf, EventOf } from "../../contract/event/event.ts";
import { emptyMap } from "../../kit/data/persistent-map.ts";
import {
  type AgentctlFacts,
  readyAgentctl,
  supportOf,
} from "../state/agentctl.ts";
import { credentialsLabel } from "../state/credentials-label.ts";
import type { Execution } from "../state/execution.ts";
import type { State } from "../state/state.ts";
import { isBriefingDue, readyAgent } from "./agent.ts";
import { withoutNextStart } from "./changes.ts";
import { dueAtEnd } from "./checkpoints.ts";
import { withEnding } from "./turn.ts";

/** An execution whose place had no id yet takes the id that its agentctl reports now. */
export const reached = (state: State, facts: AgentctlFacts): State => {
  const { execution } = state;
  const place_id = execution?.place_id ?? facts.place_id ?? null;
  return {
    ...state,
    agentctl: readyAgentctl(facts),
    execution: execution && { ...execution, place_id },
  };
};

/** There is no agentctl: it is being reached, or cannot be. */
export const away = (
  state: State,
  how: { status: "starting" } | { status: "error"; message: string },
): State => ({
  ...state,
  agentctl: { ...how, ...supportOf(state.agentctl) },
});

export const started = (
  state: State,
  data: EventDataOf<"session.execution.started">,
): State => {
  const { execution_id: id, epoch, path, token, failed = null } = data;
  const execution: Execution = {
    id,
    epoch,
    place: data.place ?? LOCAL,
    place_id: data.place_id ?? null,
    path,
    opening:
      token === null ? { kind: "new", failed } : { kind: "native", token },
    rebuild: data.rebuild ?? null,
    ...credentialsLabel(data),
    ...(data.without !== undefined && { without: data.without }),
    offset: 0,
    spent: null,
    phase: { kind: "starting" },
  };
  return {
    ...state,
    execution,
    executions_so_far: { ...state.executions_so_far, epoch },
  };
};

export const ended = (
  state: State,
  { execution_id, ending }: EventDataOf<"session.execution.ended">,
): State => {
  const { lifecycle, executions_so_far, checkpoints, agent } = state;
  const isLostStart =
    lifecycle.name === "STARTING" && ending.kind === "vanished";
  return {
    ...state,
    execution: null,
    agent: { ...agent, changes: withoutNextStart(agent.changes) },
    executions_so_far: {
      ...executions_so_far,
      last_ended_id: execution_id,
      lost_starts: isLostStart ? executions_so_far.lost_starts + 1 : 0,
    },
    prompts: withEnding(state, ending),
    permissions: { ...state.permissions, answers: emptyMap },
    output: { ...state.output, open_message: null },
    checkpoints: { ...checkpoints, due: dueAtEnd(state) },
  };
};

export const ready = (
  state: State,
  { data }: EventOf<"session.agent.ready">,
): State => {
  const { prompts } = state;
  const brief = isBriefingDue(state, data);
  return {
    ...inPhase(state, { kind: "ready" }),
    agent: readyAgent(state.agent, data),
    executions_so_far: { ...state.executions_so_far, lost_starts: 0 },
    prompts: { ...prompts, before_next: { ...prompts.before_next, brief } },
  };
};

/** Someone needs the agent while it is being stopped. */
export const askAgain = (state: State, trigger: ResumeTrigger): State => {
  const phase = state.execution?.phase;
  return phase?.kind === "stopping"
    ? inPhase(state, { ...phase, again: trigger })
    : state;
};

export const inPhase = (state: State, phase: Execution["phase"]): State =>
  state.execution === null
    ? state
    : { ...state, execution: { ...state.execution, phase } };
