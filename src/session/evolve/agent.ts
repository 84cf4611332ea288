/** What is known of the agent, whether it runs or not, and what it must be told before the next prompt. */
import { briefingOf } from "../../contract/agent/briefing.ts";
import type { ResumeGrade } from "../../contract/agent/resume.ts";
import type { EventDataOf } from "../../contract/event/event.ts";
import type { Agent, State } from "../state/state.ts";
import { withoutNextStart } from "./changes.ts";
import { turnsKnown } from "../state/turns.ts";

export const readyAgent = (
  agent: Agent,
  data: EventDataOf<"session.agent.ready">,
): Agent => {
  const isNew = data.opened === "new";
  return {
    ...agent,
    abilities: data.abilities,
    applied: data.applied ?? null,
    offered: data.offered ?? null,
    changes: withoutNextStart(agent.changes),
    limits_in_prompt: data.system_prompt?.restrictions ?? false,
    booted: true,
    token: data.token ?? agent.token,
    last_message_id: isNew ? null : agent.last_message_id,
    // What was recorded of another session of the agent verifies nothing about this one.
    transcript: data.token === agent.token ? agent.transcript : null,
    memory: null,
    context: isNew ? null : agent.context,
  };
};

/**
 * A new session of an agent knows nothing of its instructions. Where they cannot go into its system prompt they go
 * before its first prompt, once: a session that is resumed has them in its memory, or still has them to come.
 */
export const isBriefingDue = (
  { agent: { definition }, prompts }: Pick<State, "agent" | "prompts">,
  {
    opened,
    abilities,
  }: Pick<EventDataOf<"session.agent.ready">, "opened" | "abilities">,
): boolean => {
  if (opened !== "new") return prompts.before_next.brief;
  if (abilities.system_prompt === true) return false;
  return briefingOf(definition, { tools: true }) !== null;
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

/** Messages did not fit into the injected history: the resume names that, once, among what was lost. */
export const withLeftOut = (state: State, leftOut: number): State => {
  const { resume } = state.agent;
  if (resume === null || leftOut === 0 || resume.left_out === leftOut)
    return state;
  const words = leftOutWords(leftOut);
  const lost = resume.lost === null ? words : `${resume.lost} ${words}`;
  return {
    ...state,
    agent: { ...state.agent, resume: { ...resume, lost, left_out: leftOut } },
  };
};

export const leftOutWords = (leftOut: number): string =>
  leftOut === 1
    ? "The oldest message did not fit into the history the agent was given."
    : `The oldest ${leftOut} messages did not fit into the history the agent was given.`;

/** What was recorded of another session of the agent verifies nothing about this one. */
export const withToken = (state: State, token: string | null): State => ({
  ...state,
  agent: { ...state.agent, token, transcript: null },
});

export const handedOff = (
  state: State,
  { definition, abilities }: EventDataOf<"session.handed_off">,
): State => {
  const after = withoutMemory(state);
  const agent = { ...after.agent, definition, abilities };
  return { ...after, agent: { ...agent, applied: null, offered: null } };
};

/** The agent knows nothing of this session any more, whatever it says. */
export const withoutMemory = (state: State): State => ({
  ...state,
  agent: {
    ...state.agent,
    token: null,
    last_message_id: null,
    transcript: null,
    memory: null,
  },
  prompts: withInjection(state, turnsKnown(state.turns) > 0),
});

export const withInjection = (
  { prompts }: Pick<State, "prompts">,
  inject: boolean,
): State["prompts"] => ({
  ...prompts,
  before_next: { ...prompts.before_next, inject },
});
