/** Which content an agent takes is known from its handshake. What it cannot take is refused early, or replaced by text. */
import type { Abilities } from "../../contract/agent/agent.ts";
import type { ContentBlock } from "../../contract/base/content.ts";
import type { Agent } from "./state.ts";

/** Why the agent could not take this; null when it can, or when it has not told yet. */
export const whyNotTaken = (
  { abilities, definition }: Agent,
  content: readonly ContentBlock[],
): string | null => {
  // An agent that has been asked says whether it takes files.
  if (abilities.files === undefined || !losesImages(abilities, content))
    return null;
  return `The agent ${definition.agent} does not take images. Put the image into the workspace and name its path instead.`;
};

export const losesImages = (
  { images }: Abilities,
  content: readonly ContentBlock[],
): boolean => !images && content.some(({ type }) => type === "image");

/** A prompt that was queued before the agent had told what it takes: the rest of it still arrives. */
export const asTaken = (
  { images, files }: Abilities,
  content: readonly ContentBlock[],
): readonly ContentBlock[] =>
  content.map((block): ContentBlock => {
    if (block.type === "image" && !images)
      return {
        type: "text",
        text: `[An image (${block.mime_type}) was attached here. You do not take images.]`,
      };
    if (block.type === "resource" && files === false)
      return { type: "text", text: `${block.uri}:\n${block.text}` };
    return block;
  });
