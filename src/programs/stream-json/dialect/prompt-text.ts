import type { ContentBlock } from "@agentclientprotocol/sdk/unstable";
import { unreachable } from "../../../kit/unreachable.ts";

/** A prompt as plain text. What a CLI cannot be given is named, so that nobody thinks it was. */
export const promptText = (blocks: readonly ContentBlock[]): string =>
  blocks.map(blockText).join("\n");

export const blockText = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return `[${block.name}](${block.uri})`;
    case "resource":
      return "text" in block.resource
        ? `<file uri="${block.resource.uri}">\n${block.resource.text}\n</file>`
        : `[${block.resource.uri}]`;
    case "image":
    case "audio":
      return `[${block.type}, not shown]`;
    default:
      return unreachable(block);
  }
};
