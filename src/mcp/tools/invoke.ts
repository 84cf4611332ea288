import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import * as z from "zod";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import { AgentId } from "../../contract/agent/agent.ts";
import { ProfileId } from "../../contract/agent/profile-view.ts";
import { MAX_PROMPT_BYTES, PromptText } from "../../contract/api/request.ts";
import { type Chain, chainOf, MAX_DEPTH } from "../base/call-chain.ts";
import type { Door } from "../base/door.ts";
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

/** Tells the agent of a session how deep it is. */
export const DEPTH_VARIABLE = "REPRISE_CALL_DEPTH";

const patterns = z.array(z.string().min(1).max(1000)).max(500);

/** What the server would refuse is refused before a session is made for it. */
const Words = PromptText.refine(
  (text) => text.isWellFormed(),
  "holds half a character",
).refine(
  (text) => Buffer.byteLength(text) <= MAX_PROMPT_BYTES,
  `is longer than ${MAX_PROMPT_BYTES} bytes`,
);

const Input = z.strictObject({
  agentName: AgentId.describe("Name of the agent to invoke"),
  prompt: Words.describe("Prompt to send to the agent"),
  continueSessionId: z
    .string()
    .optional()
    .describe("Session ID to continue a previous conversation (optional)"),
  continueMostRecent: z
    .boolean()
    .optional()
    .describe(
      "Continue this agent's most recent conversation in this directory (optional)",
    ),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Model of the agent, by its own name for it (optional)"),
  profile: ProfileId.optional().describe(
    "Profile of this agent that a new session is made by; list_agents shows them (optional)",
  ),
  allowedTools: patterns
    .optional()
    .describe(
      "The only tools that the agent may use, like Read or Bash(git *)",
    ),
  disallowedTools: patterns
    .optional()
    .describe("Tools that the agent may not use"),
  maxTurns: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe("How many tool calls the agent may make for this prompt"),
  permissions: z
    .enum(["ask", "allow-read", "allow-all"])
    .optional()
    .describe(
      "What the agent may do without asking; ask unless it is said. Permissions that it asks for are answered by a person or with answer_permission",
    ),
  cwd: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("Absolute path of the directory in which a new session works"),
  waitSeconds: z
    .number()
    .min(0)
    .max(1500)
    .optional()
    .describe(
      "How long to wait for the result; after it the agent goes on and wait_for_session gets the result",
    ),
});
type Input = z.output<typeof Input>;

export const invokeAgent = tool({
  name: "invoke_agent",
  title: "Invoke an agent",
  description:
    "Invoke another agent programmatically with enforced session.log creation. The agent works in a durable session: it outlives this call, this program and the server. Answers with the result when the turn ends in time; else status is working, and wait_for_session gets the result. To go on with the conversation, give the sessionId of the answer as continueSessionId.",
  input: Input,
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
const begin = async (input: Input, call: Call): Promise<Work> => {
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
  input: Input,
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

const startSession = async (
  input: Input,
  { door, key }: Call,
  { calledBy, depth }: Chain,
): Promise<Session> => {
  const { allowedTools, disallowedTools, permissions, model } = input;
  const hasToolLimits =
    allowedTools !== undefined || disallowedTools !== undefined;
  return door.client.createSession(
    {
      agent: input.agentName,
      ...(input.profile !== undefined && { agent_profile_id: input.profile }),
      cwd: await directoryOf(input, door),
      env: { [DEPTH_VARIABLE]: String(depth + 1) },
      ...(calledBy !== null && { called_by: calledBy }),
      ...(model !== undefined && { model }),
      ...(allowedTools !== undefined && { allowed_tools: allowedTools }),
      ...(disallowedTools !== undefined && {
        disallowed_tools: disallowedTools,
      }),
      // Where nobody can hold the agent to them it is told in words.
      ...(hasToolLimits && { advisory_tools: true }),
      ...(permissions !== undefined && { permissions }),
      ...(await door.callerEnv()),
    },
    { key },
  );
};

const directoryOf = async ({ cwd }: Input, door: Door): Promise<string> => {
  if (door.cwd === null && (cwd === undefined || !isAbsolute(cwd)))
    throw new RepriseError(
      "invalid_request",
      "cwd is missing: give the absolute path of the directory in which the agent is to work. Over HTTP the server does not know where you are.",
    );
  const path = resolve(door.cwd ?? "/", cwd ?? ".");
  return realpath(path).catch(() => path);
};

const promptIn = async (
  { door, key }: Call,
  input: Input,
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
const limitsOf = (input: Input, isContinuation: boolean) => ({
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
