import type { SessionId } from "../../contract/id.ts";
import { within } from "../../kit/deadline.ts";
import type { NewPrompt } from "../../session/command.ts";
import { agentSessionOf } from "../agent-session.ts";
import type { Caller } from "../caller-environments.ts";
import type { House } from "./house.ts";
import { valuesOf } from "./remember-caller.ts";

/** A prompt does not wait longer than this to know which credentials the agent runs with. */
const COMPARE_MS = 2000;

/**
 * The execution that a prompt must not be given to: it runs with other credentials than those of who asks. What cannot be
 * found out is asked again with the next prompt.
 */
export const otherCredentials = async (
  house: House,
  session: SessionId,
  caller: Caller,
): Promise<Pick<NewPrompt, "not_with_epoch">> => {
  const { callers, engine, places, loginVariables } = house;
  const state = await engine.state(session);
  const { execution, executor, definition } = state;
  if (execution === null || execution.phase.kind === "stopping") return {};
  const { id: execution_id, epoch } = execution;
  if (callers.isCompared(execution_id, caller)) return {};
  const compare = async () => {
    const { env } = await agentSessionOf(house, state, caller);
    const names = loginVariables(definition.agent);
    const credentials = valuesOf(names, env);
    if (Object.keys(credentials).length === 0) return { same: true };
    const place = await places.find(executor);
    return place?.credentials({ execution_id, epoch, env: credentials });
  };
  const answer = await within(
    "comparing credentials",
    COMPARE_MS,
    compare(),
  ).catch(() => undefined);
  if (answer === undefined) return {};
  if (!answer.same) return { not_with_epoch: epoch };
  callers.compared(execution_id, caller);
  return {};
};
