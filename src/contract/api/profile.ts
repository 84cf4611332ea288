/** Profiles: what `config.json` says about sessions that name one (SES-210). */
import * as z from "zod";
import { AgentId } from "../agent/agent.ts";
import type { ProfileId, ProfileView } from "../agent/profile-view.ts";
import { CreateSessionFields } from "./request.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;
/** What the server and npm give to their own programs is passed to no agent. */
const OURS = /^(REPRISE_|npm_|NPM_|NODE$|NODE_OPTIONS$|NODE_CHANNEL_FD$)/;

const VariableName = z
  .string("must be the name of a variable")
  .regex(NAME, "must be the name of a variable")
  .refine((name) => !OURS.test(name), "is a variable that agents do not get");

const NO_VALUES =
  'must be {"from": "VARIABLE"}: a profile names variables of the server\'s environment and holds no values';

/** Variables for the agent, and from which variables of the server's environment each is taken. A list keeps their names. */
const ProfileVariables = z.preprocess(
  (given): unknown =>
    Array.isArray(given)
      ? Object.fromEntries(
          given.map((name: unknown, index) => [
            // What is no name may be a secret: it is not said in what is refused.
            VariableName.safeParse(name).success ? name : index,
            { from: name },
          ]),
        )
      : given,
  z
    .record(
      z.string(),
      z
        .strictObject({ from: VariableName }, NO_VALUES)
        .transform(({ from }) => from),
      "must be a list of names, or an object of them",
    )
    .superRefine((env, context) => {
      for (const name of Object.keys(env))
        for (const { message } of VariableName.safeParse(name).error?.issues ??
          [])
          context.addIssue({ code: "custom", path: [name], message });
    })
    .refine((env) => Object.keys(env).length <= 1000, "at most 1000 variables"),
);

const { shape } = CreateSessionFields.pick({
  executor: true,
  host: true,
  image: true,
  on_interrupt: true,
  on_quota: true,
  budget: true,
  home: true,
  checkpoints: true,
  model: true,
  mode: true,
  options: true,
  instructions: true,
  settings: true,
  allowed_tools: true,
  disallowed_tools: true,
  permissions: true,
  model_fallback: true,
  advisory_tools: true,
});

/** How a session works that names it, where the request does not say otherwise. */
export const Profile = z.strictObject({
  agent: AgentId,
  ...shape,
  env: ProfileVariables.optional(),
});
export type Profile = z.infer<typeof Profile>;
export type Profiles = Readonly<Record<ProfileId, Profile>>;

export const profileView = (id: ProfileId, profile: Profile): ProfileView => {
  const { agent, model, mode, executor, host, env } = profile;
  const sets = Object.entries(profile).flatMap(([field, value]) =>
    field === "agent" || value === undefined ? [] : [field],
  );
  return {
    id,
    agent,
    model: model ?? null,
    mode: mode ?? null,
    executor: executor ?? null,
    host: host ?? null,
    sets,
    env_names: Object.keys(env ?? {}),
  };
};
