/** Updates of the agent that the journal keeps as they came, and that an editor can show: checked, because anybody wrote them. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import * as z from "zod";

export const passedOn = (update: unknown): SessionUpdate | null =>
  Commands.safeParse(update).data ?? Picture.safeParse(update).data ?? null;

const Commands = z.object({
  sessionUpdate: z.literal("available_commands_update"),
  availableCommands: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      input: z
        .object({ hint: z.string() })
        .nullable()
        .default(null)
        .catch(null),
    }),
  ),
});

const Picture = z.object({
  sessionUpdate: z.enum(["agent_message_chunk", "agent_thought_chunk"]),
  content: z.object({
    type: z.literal("image"),
    data: z.base64(),
    mimeType: z.string(),
  }),
});

/** Whether the agent told that it was switched to another mode, or has other options. */
export const changesChoices = (update: unknown): boolean =>
  Choice.safeParse(update).success;

const Choice = z.object({
  sessionUpdate: z.enum(["current_mode_update", "config_option_update"]),
});
