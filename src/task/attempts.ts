/** Attempts begin: the first one, and those that go on from it. */
import type { AgentId } from "../contract/agent/agent.ts";
import { usedUpWords } from "../contract/base/budget.ts";
import { isTerminal } from "../contract/session/state.ts";
import { usedUpBy } from "./budget.ts";
import type { SessionTemplate } from "../contract/task/session-template.ts";
import type { Command, NamedProfile, NewIds, RetrySession } from "./command.ts";
import type { Draft, Refusal } from "./draft.ts";
import {
  contextVersion,
  newestAttempt,
  openAttempt,
  toldVersion,
  versionOf,
  type Attempt,
  type AttemptPrompt,
  type State,
} from "./state.ts";

type Of<T extends Command["type"]> = Extract<Command, { type: T }>;

export const run = (
  draft: Draft,
  { ids, agent, profile }: Of<"task.run">,
): Refusal | null => {
  if (draft.state.attempts.length > 0)
    return draft.refuse(
      "wrong_state",
      "The task was tried before. Retry it: that goes on with what was done, or starts over if you say so.",
    );
  start(draft, { ids, mode: "first", agent, profile, automatic: false });
  return null;
};

export const retry = (
  draft: Draft,
  { ids, mode, agent, profile, session }: Of<"task.retry">,
): Refusal | null => {
  if (draft.state.attempts.length === 0)
    return draft.refuse(
      "wrong_state",
      "The task was never tried. Run it: there is nothing to go on with.",
    );
  const open = openAttempt(draft.state);
  if (open !== null)
    return draft.refuse(
      "wrong_state",
      `Attempt ${open.number} is not over. Wait for it, cancel its turn, or resume its session if that is paused.`,
    );
  const used = refuseUsedUp(draft);
  if (used !== null) return used;
  const why = mode === "continue" ? whyNotContinue(draft, session) : null;
  if (why !== null) return why;
  return begin(draft, {
    ids,
    session,
    mode: mode ?? "continue",
    automatic: false,
    ...(agent !== null && { agent }),
    profile,
  });
};

/** No attempt begins for which nothing is left. */
export const refuseUsedUp = (draft: Draft): Refusal | null => {
  const used = usedUpBy(draft.state);
  return used === null
    ? null
    : draft.refuse(
        "budget_reached",
        `The budget of the task is used up: ${usedUpWords(used)}. Raise it, then try again.`,
      );
};

interface Beginning {
  ids: NewIds;
  session: RetrySession | null;
  mode: "continue" | "fresh" | "update";
  automatic: boolean;
  /** Another agent than before gets a new session. */
  agent?: AgentId;
  profile?: NamedProfile;
}

/** Begins an attempt that follows others: in the session of the newest one if it can go on, else in a new one (TSK-13). */
export const begin = (
  draft: Draft,
  { ids, session, mode, automatic, agent, profile }: Beginning,
): null => {
  const { state } = draft;
  const before = newestAttempt(state);
  if (before === null) throw new Error("there is no attempt to go on from");
  const next = agent ?? session?.agent ?? before.agent;
  const goesOn =
    mode !== "fresh" &&
    session !== null &&
    canGoOn(session) &&
    next === session.agent &&
    !isOtherProfile(profile, session);
  if (!goesOn) {
    // What failed before any agent was told of the task is tried for the first time again.
    const wasTold = state.attempts.some(
      ({ session_id }) => session_id !== null,
    );
    const as = wasTold ? "fresh" : "first";
    start(draft, { ids, mode: as, agent: next, profile, automatic });
    return null;
  }
  const session_id = session.id;
  const [first, ...others] = waitingPrompts(before);
  start(draft, { ids, mode, agent: next, automatic, session_id, first });
  for (const waiting of others)
    extend(draft, ids.attempt_id, { ...waiting, waits: true });
  const { attempts } = draft.state;
  const told = Math.max(
    toldVersion(draft.state, session_id),
    versionOf(attempts.at(-1)?.prompts ?? []),
  );
  const context_version = contextVersion(draft.state);
  if (told < context_version)
    extend(draft, ids.attempt_id, {
      id: ids.prompt_id,
      context_version,
      waits: false,
    });
  return null;
};

/** Adds a prompt to an attempt that has begun. */
export const extend = (
  draft: Draft,
  attempt_id: NewIds["attempt_id"],
  prompt: Pick<AttemptPrompt, "id" | "context_version" | "waits">,
): void =>
  draft.emit({
    type: "task.attempt.extended",
    data: {
      attempt_id,
      prompt_id: prompt.id,
      prompt_waits: prompt.waits,
      context_version: prompt.context_version,
    },
  });

/** Prompts that the agent never took: they still wait in the session (TSK-10). */
const waitingPrompts = ({ prompts }: Attempt): AttemptPrompt[] =>
  prompts.filter(({ is_sent, over }) => is_sent && over === null);

interface Start {
  ids: NewIds;
  mode: Attempt["mode"];
  agent: AgentId;
  profile?: NamedProfile;
  automatic: boolean;
  session_id?: RetrySession["id"];
  /** One that waits in the session already. */
  first?: AttemptPrompt | undefined;
}

const start = (draft: Draft, attempt: Start): void => {
  const { ids, mode, agent, automatic, session_id, first } = attempt;
  const session = templateOf(draft.state, attempt);
  draft.emit({
    type: "task.attempt.started",
    data: {
      attempt_id: ids.attempt_id,
      number: draft.state.attempts.length + 1,
      mode,
      agent,
      session_id: session_id ?? null,
      prompt_id: first?.id ?? ids.prompt_id,
      prompt_waits: first !== undefined,
      context_version: first?.context_version ?? contextVersion(draft.state),
      automatic,
      ...(session_id === undefined && { session }),
    },
  });
};

/** Also the profile is that of the attempt before, unless another one or another agent is named (TSK-81). */
const templateOf = (
  { attempts, session }: State,
  { agent, profile }: Pick<Start, "agent" | "profile">,
): SessionTemplate => {
  const { agent_profile_id: _, ...others } = session;
  const before = attempts.findLast(({ template }) => template !== null);
  const used = before?.template ?? session;
  const kept = used.agent === agent ? used.agent_profile_id : undefined;
  const agent_profile_id =
    profile === undefined ? kept : (profile ?? undefined);
  return agent_profile_id === undefined
    ? others
    : { ...others, agent, agent_profile_id };
};

/** A session keeps its profile: another one begins with a session of its own. */
export const isOtherProfile = (
  named: NamedProfile,
  session: Pick<RetrySession, "profile">,
): boolean => named !== undefined && named !== (session.profile ?? null);

/** Whether its agent would know what it did: from its own session, or because it is told. */
const remembers = ({ abilities }: RetrySession): boolean =>
  abilities.resume || abilities.load || abilities.injection;

const canGoOn = (session: RetrySession): boolean =>
  !session.is_gone && !isTerminal(session.state) && remembers(session);

const whyNotContinue = (
  draft: Draft,
  session: RetrySession | null,
): Refusal | null => {
  if (session === null) return null;
  if (session.is_gone || isTerminal(session.state))
    return draft.refuse(
      "wrong_state",
      `Session ${session.id} cannot go on. Start over: a new session is told what was tried.`,
    );
  return remembers(session)
    ? null
    : draft.refuse(
        "not_supported",
        `${session.agent} cannot resume its sessions and takes no history: it would know nothing of the task. Start over: a new session is told what was tried.`,
      );
};
