import type { AgentDefinition } from "../../contract/agent.ts";
import type { SessionId } from "../../contract/id.ts";
import type { NewPrompt } from "../../session/command.ts";
import type { State } from "../../session/state.ts";
import { type Environment, isClosed } from "../caller-environments.ts";
import type { House } from "./house.ts";

/** Which credentials a prompt was sent with, where its sender has some. */
export type SentWith = Pick<NewPrompt, "credentials">;

/** Remembers with what environment somebody asks for the agent of a session, if it can still have one. */
export const rememberCaller = (
  house: House,
  state: State,
  caller_env: Environment | undefined,
): SentWith =>
  isClosed(state) ? {} : rememberCreator(house, state, caller_env);

/** The same for a session that is about to be made. */
export const rememberCreator = (
  { callers, overrides, loginVariables }: House,
  session: { id: SessionId; definition: AgentDefinition },
  caller_env: Environment | undefined,
): SentWith => {
  if (caller_env === undefined) return {};
  const { agent, env_names } = session.definition;
  const override = overrides[agent];
  // What the configuration or the session says comes before the caller's.
  const names = loginVariables(agent).filter(
    (name) => override?.env?.[name] === undefined && !env_names.includes(name),
  );
  const credentials = valuesOf(names, caller_env);
  const label = callers.remember(session.id, caller_env, credentials);
  return label === null ? {} : { credentials: label };
};

/** The variables that are there and not empty. */
export const valuesOf = (
  names: readonly string[],
  env: Environment,
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name] ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
