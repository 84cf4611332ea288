import * as z from "zod";
import { AgentId } from "./agent.ts";

/** What a profile is called. The id of an agent is the profile in which nothing is said but that agent. */
export const ProfileId = AgentId;
export type ProfileId = AgentId;

/** A profile in the list of those that `config.json` has. Values of variables are told nowhere. */
export const ProfileView = z.object({
  id: ProfileId,
  agent: AgentId,
  model: z.string().nullable(),
  mode: z.string().nullable(),
  executor: z.string().nullable(),
  host: z.string().nullable(),
  /** The fields of a session that it says something about, besides the agent. */
  sets: z.array(z.string()),
  /** The variables that the agent gets from the server's environment, by the names that the agent knows them by. */
  env_names: z.array(z.string()),
});
export type ProfileView = z.infer<typeof ProfileView>;
