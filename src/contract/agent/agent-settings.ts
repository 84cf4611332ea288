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

/** Options that are not named keep their values. */
export const withSettings = (
  definition: AgentDefinition,
  { model, mode, options }: AgentSettings,
): AgentDefinition => ({
  ...definition,
  ...(model !== undefined && { model }),
  ...(mode !== undefined && { mode }),
  ...(options !== undefined && {
    options: { ...definition.options, ...options },
  }),
});
