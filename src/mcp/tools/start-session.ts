/** The session that `invoke_agent` starts, and the directory and place in which it works. */
import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { isOnHost } from "../../contract/base/executor-name.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Chain } from "../base/call-chain.ts";
import type { Door } from "../base/door.ts";
import type { Call } from "../base/tool.ts";
import type { InvokeInput } from "./invoke-input.ts";

/** Tells the agent of a session how deep it is. */
const DEPTH_VARIABLE = "REPRISE_CALL_DEPTH";

export const startSession = async (
  input: InvokeInput,
  { door, key }: Call,
  { calledBy, depth }: Chain,
): Promise<Session> => {
  const { allowedTools, disallowedTools, permissions, model } = input;
  const { executor, host, image } = input;
  const hasToolLimits =
    allowedTools !== undefined || disallowedTools !== undefined;
  return door.client.createSession(
    {
      agent: input.agentName,
      ...(input.profile !== undefined && { agent_profile_id: input.profile }),
      ...(executor !== undefined && { executor }),
      ...(host !== undefined && { host }),
      ...(image !== undefined && { image }),
      ...(await workspaceOf(input, door)),
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

/** Paths on another host are what they are there, and it makes a directory where none is named. */
const workspaceOf = async (
  input: InvokeInput,
  door: Door,
): Promise<{ cwd?: string }> => {
  if (!isOnHost(input)) return { cwd: await directoryOf(input, door) };
  return input.cwd === undefined ? {} : { cwd: input.cwd };
};

export const directoryOf = async (
  { cwd }: Pick<InvokeInput, "cwd">,
  door: Door,
): Promise<string> => {
  if (door.cwd === null && (cwd === undefined || !isAbsolute(cwd)))
    throw new RepriseError(
      "invalid_request",
      "cwd is missing: give the absolute path of the directory in which the agent is to work. Over HTTP the server does not know where you are.",
    );
  const path = resolve(door.cwd ?? "/", cwd ?? ".");
  return realpath(path).catch(() => path);
};
