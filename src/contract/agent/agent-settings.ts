import * as z from "zod";
import { type AgentDefinition } from "./agent.ts";

/** What an agent can be told to change while it runs. */
export const AgentSettings = z.object({
  model: z.string().optional(),
  mode: z.string().optional(),
  options: z.record(z.string(), z.string()).optional(),
});
export type AgentSettings = z.infer<typeof AgentSettings>;

export const SETTINGS = ["model", "mode", "options"] as const;
export type SettingName = (typeof SETTINGS)[number];

/** The settings of the agent, out of whatever is changed along with them. */
export const settingsIn = (changes: AgentSettings): AgentSettings =>
  Object.fromEntries(
    SETTINGS.filter((name) => changes[name] !== undefined).map((name) => [
      name,
      changes[name],
    ]),
  );

/** Options that are not named keep their values. */
export const withSettings = (
  definition: AgentDefinition,
  changes: AgentSettings,
): AgentDefinition => {
  const { options, ...others } = settingsIn(changes);
  return {
    ...definition,
    ...others,
    ...(options !== undefined && {
      options: { ...definition.options, ...options },
    }),
  };
};
