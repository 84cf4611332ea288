import type { Session } from "../../contract/session/session.ts";
import { isOtherHost } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { chainOf, MAX_DEPTH } from "../base/call-chain.ts";
import { findSession, requireContinuable } from "../base/find-session.ts";
import { type Call, tool, type ToolResult } from "../base/tool.ts";
import {
  answerByForm,
  chosenOption,
  FormState,
  leaveUnanswered,
} from "../work/form.ts";
import { InvocationResult } from "../work/result.ts";
import { settle } from "../work/settle.ts";
import { messagesBefore, type Work } from "../work/work.ts";
import { InvokeInput } from "./invoke-input.ts";
import { placeWords } from "./session-words.ts";
import { directoryOf, startSession } from "./start-session.ts";

export const invokeAgent = tool({
  name: "invoke_agent",
  title: "Invoke an agent",
  description:
    "Invoke another agent programmatically with enforced session.log creation. The agent works in a durable session: it outlives this call, this program and the server. Answers with the result when the turn ends in time; else status is working, and wait_for_session gets the result. To go on with the conversation, give the sessionId of the answer as continueSessionId.",
  input: InvokeInput,
  output: InvocationResult,
  alwaysLoad: true,
  async run(input, call) {
    const state = FormState.safeParse(call.ctx.mcpReq.requestState());
    if (state.success) return goOnAfterForm(call, state.data, input);
    const work = await begin(input, call);
    return settle(call, work, {
      waitSeconds: input.waitSeconds,
      mayHandle: true,
    });
  },
});

/** The client came back with its form: the prompt is under way, and is not sent again. */
export const goOnAfterForm = async (
  call: Call,
  { permission_id, ...work }: FormState,
  { waitSeconds }: { waitSeconds?: number | undefined },
): Promise<ToolResult> => {
  const { door, ctx } = call;
  const option = chosenOption(ctx.mcpReq.inputResponses);
  if (option === null) leaveUnanswered(door, work.session_id, permission_id);
  else await answerByForm(door.client, work.session_id, permission_id, option);
  return settle(call, work, { waitSeconds, mayHandle: true });
};

/** Finds or makes the session and gives it the prompt, once for each call of the client. */
const begin = async (input: InvokeInput, call: Call): Promise<Work> => {
  const chain = await chainOf(call);
  if (chain.depth >= MAX_DEPTH)
    throw new RepriseError(
      "invalid_request",
      `This agent was called by an agent, ${MAX_DEPTH} levels deep: no further agent is started. Do the work yourself, or tell your caller what is missing.`,
    );
  const isNamed = input.continueSessionId !== undefined;
  const takesRecent = input.continueMostRecent === true;
  if (isNamed && takesRecent)
    throw new RepriseError(
      "invalid_request",
      "Give either continueSessionId or continueMostRecent, not both.",
    );
  if (!isNamed && !takesRecent)
    return promptIn(call, input, await startSession(input, call, chain), false);
  const before = await sessionBefore(call);
  // Whoever repeats the call gets the answer of the first, however the session stands by now.
  if (before !== null) return promptIn(call, input, before, true);
  const session = await chosenSession(input, call);
  requireContinuable(session, input.agentName);
  requireProfile(session, input.profile);
  requirePlace(session, input);
  if (input.model !== undefined && input.model !== session.definition.model)
    await changeModel(call, session, input.model);
  return promptIn(call, input, session, true);
};

/** The session to be continued that has the prompt of this call already; null where there is none. */
const sessionBefore = async ({
  door,
  caller,
  key,
}: Call): Promise<Session | null> => {
  const { client } = door;
  if (caller.callId === null) return null;
  const [prompt] = (await client.findPrompts(key)).prompts;
  return prompt === undefined ? null : client.showSession(prompt.session_id);
};

/** The most recent one is chosen once for each call: whoever repeats it goes on with the same. */
const chosenSession = async (
  input: InvokeInput,
  { door, key }: Call,
): Promise<Session> => {
  if (input.continueSessionId !== undefined)
    return findSession(door.client, input.continueSessionId);
  const cwd = await directoryOf(input, door);
  const agent = input.agentName;
  try {
    return await door.client.chooseMostRecent({ agent, cwd }, { key });
  } catch (error) {
    if (!(error instanceof RepriseError && error.code === "session_not_found"))
      throw error;
    throw new RepriseError(
      "session_not_found",
      `No session of the agent "${agent}" in ${cwd} can go on. Leave continueMostRecent out to start one.`,
    );
  }
};

/** A session keeps the profile that it was made by. */
const requireProfile = (
  { id, agent_profile_id }: Session,
  profile: string | undefined,
): void => {
  if (profile === undefined || profile === agent_profile_id) return;
  throw new RepriseError(
    "invalid_request",
    `Session ${id} was made by the profile ${agent_profile_id} and keeps it. Leave profile out to go on with it, or start a session with the profile ${profile}.`,
  );
};

/** A session stays where it is. */
const requirePlace = (
  { id, place }: Session,
  { executor, host, image }: InvokeInput,
): void => {
  const isThere =
    (executor === undefined || executor === place.kind) &&
    (host === undefined || (isOtherHost(place) && place.id === host)) &&
    image === undefined;
  if (isThere) return;
  throw new RepriseError(
    "invalid_request",
    `Session ${id} runs on ${placeWords(place)} and stays there. Leave executor, host and image out to go on with it, or start a session in the other place.`,
  );
};

/** Only an agent that runs can say whether it has the model. One that does not have it goes on as it was. */
const changeModel = async (
  { door }: Call,
  { id, is_agent_running }: Session,
  model: string,
): Promise<void> => {
  const { client } = door;
  if (!is_agent_running) await client.resumeSession(id, await door.callerEnv());
  await client.changeSession(id, { model });
};

const promptIn = async (
  { door, key }: Call,
  input: InvokeInput,
  session: Session,
  isContinuation: boolean,
): Promise<Work> => {
  const { client } = door;
  const limits = limitsOf(input, isContinuation);
  const body = {
    text: input.prompt,
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(await door.callerEnv()),
  };
  const { id } = await client.queuePrompt(session.id, body, { key });
  // A call that is repeated may find its turn over already.
  const { turn } = await client.showPrompt(session.id, id);
  return {
    session_id: session.id,
    prompt_id: id,
    agent: session.agent,
    isContinuation,
    existingHistory: isContinuation
      ? await messagesBefore(
          client,
          session.id,
          Math.min(turn ?? Infinity, session.turn_count + 1),
        )
      : 0,
  };
};

/** What holds for this prompt alone. A new session has the rest of its limits for good. */
const limitsOf = (input: InvokeInput, isContinuation: boolean) => ({
  ...(input.maxTurns !== undefined && { max_tool_calls: input.maxTurns }),
  ...(isContinuation && {
    ...(input.allowedTools !== undefined && {
      allowed_tools: input.allowedTools,
    }),
    ...(input.disallowedTools !== undefined && {
      disallowed_tools: input.disallowedTools,
    }),
    ...(input.permissions !== undefined && { permissions: input.permissions }),
  }),
});
