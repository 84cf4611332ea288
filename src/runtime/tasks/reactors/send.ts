/** Gives the next prompt of an attempt to its session, which is made first where there is none. */
import type { CreateSessionRequest } from "../../../contract/api/request.ts";
import { usedUpWords } from "../../../contract/base/budget.ts";
import type { PromptId, SessionId } from "../../../contract/base/id.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { budgetFor, usedUpBy } from "../../../task/budget.ts";
import type { SendIntent } from "../../../task/intend.ts";
import type { State } from "../../../task/state.ts";
import { type FailureKind, failureKind } from "../../failures/failure-kind.ts";
import { isSessionGone } from "../../failures/session-gone.ts";
import type { TaskDeps } from "../task-deps.ts";
import { machineOf, placeOf } from "../task-place.ts";

export const send = async (
  deps: TaskDeps,
  state: State,
  intent: SendIntent,
): Promise<void> => {
  const { attempt_id, prompt_id } = intent;
  try {
    const session_id = await deliver(deps, state, intent);
    await deps.tasks.issue(state.id, {
      type: "prompt.queued",
      attempt_id,
      session_id,
      prompt_id,
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const reason = { code: error.code, text: error.message };
    await deps.tasks.issue(state.id, {
      type: "attempt.fail",
      attempt_id,
      prompt_id,
      reason,
    });
  }
};

/** It says no, and it would say so again. Whatever else goes wrong may pass. */
const isRefusal = (error: unknown): error is RepriseError =>
  error instanceof RepriseError &&
  error.code !== "queue_full" &&
  (isSessionGone(error) || isFinal.has(failureKind(error)));

/** A session that is damaged or was removed takes no prompt either. */
const isFinal: ReadonlySet<FailureKind> = new Set(["refused", "damaged"]);

const deliver = async (
  deps: TaskDeps,
  state: State,
  intent: SendIntent,
): Promise<SessionId> => {
  const { operations, callers } = deps;
  const { prompt_id: id, text } = intent;
  const caller_env = callers.get(state.id);
  refuseUsedUp(state);
  const session = intent.session_id ?? (await newSession(deps, state, intent));
  const budget = budgetFor(state, session);
  // One that was raised for the task is raised for the session that goes on with it.
  if (budget !== null || state.had_budget === true)
    await operations.setBudget(session, budget);
  if (intent.waits) {
    await operations.resumeSession(session, { caller_env });
    return session;
  }
  if (intent.resolves !== null) await drop(deps, session, intent.resolves);
  await operations.queueKnownPrompt(session, { id, text, caller_env });
  return session;
};

const refuseUsedUp = (state: State): void => {
  const used = usedUpBy(state);
  if (used !== null)
    throw new RepriseError(
      "budget_reached",
      `the budget of the task is used up: ${usedUpWords(used)}`,
    );
};

/** What comes in the place of a prompt that was cut off. Somebody may have decided about that one meanwhile. */
const drop = async (
  { operations, sessions }: TaskDeps,
  session: SessionId,
  prompt: PromptId,
): Promise<void> => {
  const { prompts } = await sessions.state(session);
  if (prompts.unresolved.some(({ id }) => id === prompt))
    await operations.resolvePrompt(session, prompt, { action: "drop" });
};

/** The same attempt gets the same session, however often it is tried. */
const newSession = async (
  deps: TaskDeps,
  state: State,
  { attempt_id, agent, template }: SendIntent,
): Promise<SessionId> => {
  const { operations, callers } = deps;
  const budget = budgetFor(state, null);
  const { id } = await operations.createSession(
    {
      ...template,
      ...(await workplace(deps, state, template)),
      agent,
      task_id: state.id,
      name: state.title.slice(0, MAX_NAME),
      // Whether there is another attempt is for the task to decide (TSK-16).
      on_interrupt: "wait",
      ...(budget !== null && { budget }),
      caller_env: callers.get(state.id),
    },
    `attempt ${attempt_id}`,
  );
  return id;
};

const MAX_NAME = 200;

/** Where the sessions before worked, on the same machine: a new one goes on with what they left. */
const workplace = async (
  deps: TaskDeps,
  { attempts }: State,
  template: SendIntent["template"],
): Promise<Pick<CreateSessionRequest, "cwd" | "worktree">> => {
  const machine = machineOf(placeOf(deps, template).at);
  for (const { session_id } of attempts.toReversed()) {
    const session =
      session_id === null ? null : await deps.store.session(session_id);
    if (session !== null && machineOf(session.place) === machine)
      return { cwd: session.cwd, worktree: undefined };
  }
  return {};
};
