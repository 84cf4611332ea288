/** What a request says together with the profile that it names (SES-210). */
import { type AgentId, isBuiltIn } from "../../contract/agent/agent.ts";
import type { ProfileId } from "../../contract/agent/profile-view.ts";
import type { Profile, Profiles } from "../../contract/api/profile.ts";
import {
  type CreateSessionRequest,
  DEFAULT_AGENT,
  type DefinitionChange,
  type HandoffRequest,
} from "../../contract/api/request.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { nearest } from "../../kit/data/nearest.ts";
import type { EnvironmentDeps } from "./session-environment.ts";

export interface ProfileDeps extends Pick<EnvironmentDeps, "overrides"> {
  profiles: Profiles;
}

/** Who works, and by which profile where that is one of `config.json`. */
export interface Chosen {
  agent: AgentId;
  profile: { id: ProfileId; says: Profile } | null;
}

/** Null where neither is named. */
export const chosenProfile = (
  deps: ProfileDeps,
  {
    agent,
    agent_profile_id: id,
  }: {
    agent?: AgentId | undefined;
    agent_profile_id?: ProfileId | undefined;
  },
): Chosen | null => {
  if (id === undefined)
    return agent === undefined ? null : { agent, profile: null };
  const says = deps.profiles[id];
  const ofProfile = says?.agent ?? agentNamed(deps, id);
  if (agent !== undefined && agent !== ofProfile)
    throw new RepriseError(
      "invalid_request",
      `The profile ${id} is one of ${ofProfile}, not of ${agent}. Leave out the agent, or name another profile.`,
    );
  const profile = says === undefined ? null : { id, says };
  return { agent: ofProfile, profile };
};

/** The id of an agent is the profile in which nothing else is said. */
const agentNamed = (
  { profiles, overrides }: ProfileDeps,
  id: ProfileId,
): AgentId => {
  if (isBuiltIn(id) || overrides[id] !== undefined) return id;
  const names = Object.keys(profiles);
  const agents = Object.keys(overrides);
  const meant = nearest(id, [...names, ...agents]);
  const known =
    names.length === 0
      ? "config.json has none"
      : `Known here: ${names.join(", ")}`;
  throw new RepriseError(
    "unknown_profile",
    `There is no profile ${id}.${meant === undefined ? "" : ` Did you mean ${meant}?`} ${known}; the id of an agent is a profile too.`,
  );
};

/** A request of which all is said that has to be. */
export interface SessionOrder extends CreateSessionRequest {
  agent: AgentId;
  on_interrupt: NonNullable<CreateSessionRequest["on_interrupt"]>;
  profile: ProfileId | null;
  /** Variables for the agent, by their names in the server's environment. */
  env_from: Readonly<Record<string, string>>;
}

export const sessionOrder = (
  deps: ProfileDeps,
  request: CreateSessionRequest,
): SessionOrder => {
  const { agent, profile } = chosenProfile(deps, request) ?? {
    agent: DEFAULT_AGENT,
    profile: null,
  };
  const { env, executor, host, image, ...says }: Partial<Profile> =
    profile?.says ?? {};
  const said = saidIn(request);
  const order = {
    ...says,
    ...chosenWhere(said, { executor, host, image }),
    ...said,
  };
  return {
    ...order,
    on_interrupt: order.on_interrupt ?? "wait",
    ...(says.options !== undefined && {
      options: { ...says.options, ...said.options },
    }),
    agent,
    profile: profile?.id ?? null,
    env_from: unlessGiven(env ?? {}, Object.keys(request.env ?? {})),
  };
};

type Where = Pick<CreateSessionRequest, "executor" | "host" | "image">;

/** Executor and host are said together, by the request or by the profile. An image of the profile is for containers alone. */
export const chosenWhere = (said: Where, profile: Where): Where => {
  const isSaid = said.executor !== undefined || said.host !== undefined;
  const { executor, host } = isSaid ? said : profile;
  const image =
    said.image ?? (executor === "docker" ? profile.image : undefined);
  return {
    ...(executor !== undefined && { executor }),
    ...(host !== undefined && { host }),
    ...(image !== undefined && { image }),
  };
};

/** As requests were compared before they could name a profile: keys of those days still find their answers. */
export const comparable = (
  request: CreateSessionRequest,
): CreateSessionRequest =>
  request.agent_profile_id === undefined
    ? {
        ...request,
        agent: request.agent ?? DEFAULT_AGENT,
        executor:
          request.executor ??
          (request.host === undefined ? "standalone" : "remote"),
        on_interrupt: request.on_interrupt ?? "wait",
      }
    : request;

const CHANGES = [
  "model",
  "mode",
  "options",
  "settings",
  "allowed_tools",
  "disallowed_tools",
  "permissions",
  "model_fallback",
  "advisory_tools",
] as const satisfies readonly (keyof Profile & keyof DefinitionChange)[];

/** What a handoff changes about the definition: what the request says, then what the profile does. */
export const handoffChange = (
  profile: Profile | undefined,
  request: HandoffRequest,
): DefinitionChange => {
  const { agent: _, agent_profile_id: _id, ...said } = request;
  if (profile === undefined) return said;
  const dropped = new Set<string>(
    (said.without ?? []).flatMap((what) =>
      what === "tools" ? ["allowed_tools", "disallowed_tools"] : [what],
    ),
  );
  const says = Object.fromEntries(
    CHANGES.flatMap((field) =>
      profile[field] === undefined || dropped.has(field)
        ? []
        : [[field, profile[field]]],
    ),
  );
  return {
    ...says,
    ...Object.fromEntries(
      Object.entries(said).filter(([, value]) => value !== undefined),
    ),
  };
};

const saidIn = (request: CreateSessionRequest): CreateSessionRequest =>
  Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined),
  );

/** What the session was given itself wins. */
export const unlessGiven = (
  env: Readonly<Record<string, string>>,
  given: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !given.includes(name)),
  );
