/** What becomes of an execution, of the agentctl that started it, and of what is known of its agent. */
import type { EventDataOf, EventOf } from "../../contract/event/event.ts";
import { LOCAL } from "../../contract/base/place.ts";
import type { ResumeGrade } from "../../contract/agent/resume.ts";
import { emptyMap } from "../../kit/data/persistent-map.ts";
import {
  type AgentctlFacts,
  readyAgentctl,
  supportOf,
} from "../state/agentctl.ts";
import { isBriefingDue } from "../state/brief.ts";
import { inPhase, labelOf } from "./turn.ts";
import type { Execution } from "../state/execution.ts";
import { dueAtEnd, turnsKnown } from "./rewind.ts";
import type { Agent, State } from "../state/state.ts";

/** The place of an execution whose agentctl did not tell its id before is the one that tells it now. */
export const reached = (state: State, facts: AgentctlFacts): State => {
  const { execution } = state;
  const place_id = execution?.place_id ?? facts.place_id ?? null;
  return {
    ...state,
    agentctl: readyAgentctl(facts),
    execution: execution && { ...execution, place_id },
  };
};

/** No agentctl is there: it is being reached, or cannot be had. */
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
    ...labelOf(data),
    ...(data.without !== undefined && { without: data.without }),
    offset: 0,
    spent: null,
    phase: { kind: "starting" },
  };
  return { ...state, execution, executions: { ...state.executions, epoch } };
};

export const ended = (
  state: State,
  { execution_id, ending }: EventDataOf<"session.execution.ended">,
): State => {
  const { lifecycle, executions, checkpoints } = state;
  const isLostStart =
    lifecycle.name === "STARTING" && ending.kind === "vanished";
  return {
    ...state,
    execution: null,
    executions: {
      ...executions,
      last_ended_id: execution_id,
      lost_starts: isLostStart ? executions.lost_starts + 1 : 0,
    },
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
    executions: { ...state.executions, lost_starts: 0 },
    prompts: { ...prompts, before_next: { ...prompts.before_next, brief } },
  };
};

const readyAgent = (
  agent: Agent,
  data: EventDataOf<"session.agent.ready">,
): Agent => {
  const isNew = data.opened === "new";
  return {
    ...agent,
    abilities: data.abilities,
    applied: data.applied ?? null,
    told_limits: data.system_prompt?.restrictions ?? false,
    booted: true,
    token: data.token ?? agent.token,
    last_message_id: isNew ? null : agent.last_message_id,
    // What was recorded of another session of the agent verifies nothing about this one.
    transcript: data.token === agent.token ? agent.transcript : null,
    memory: null,
    context: isNew ? null : agent.context,
  };
};

export const resumed = (
  state: State,
  { resume, forgotten }: EventDataOf<"session.resumed">,
): State => {
  const { agent, prompts } = state;
  const { before_next } = prompts;
  return {
    ...state,
    agent: { ...agent, resume },
    prompts: {
      ...prompts,
      before_next: {
        ...before_next,
        inject: isInjectionDue(state, resume.grade),
        forgotten: forgotten ?? before_next.forgotten,
      },
    },
  };
};

/** The history is due after a resume that needs it, and stays due until a prompt has carried it. */
const isInjectionDue = (
  { turns, prompts }: State,
  grade: ResumeGrade | null,
): boolean =>
  grade === "reattached"
    ? prompts.before_next.inject
    : grade === "injected" && turnsKnown(turns) > 0;
