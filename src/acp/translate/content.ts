/** A prompt of an editor as a session takes it. */
import type { ContentBlock as AcpContent } from "@agentclientprotocol/sdk";
import type { ContentBlock } from "../../contract/base/content.ts";
import { unusable } from "./failure.ts";

export const contentOf = (prompt: readonly AcpContent[]): ContentBlock[] => {
  const content = prompt.map(blockOf);
  if (content.length === 0) throw unusable("The prompt is empty.");
  return content;
};

const blockOf = (block: AcpContent): ContentBlock => {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "image", mime_type: block.mimeType, data: block.data };
    case "resource_link":
      return { type: "resource_link", uri: block.uri, name: block.name };
    case "resource":
      return resourceOf(block.resource);
    case "audio":
      throw unusable("Prompts with sound are not supported. Send text.");
  }
};

const resourceOf = (
  resource: Extract<AcpContent, { type: "resource" }>["resource"],
): ContentBlock => {
  const mime_type = resource.mimeType ?? undefined;
  if ("text" in resource)
    return {
      type: "resource",
      uri: resource.uri,
      text: resource.text,
      ...(mime_type !== undefined && { mime_type }),
    };
  if (mime_type?.startsWith("image/") === true)
    return { type: "image", mime_type, data: resource.blob };
  throw unusable(
    `${resource.uri} is neither text nor an image. Name its path in the prompt instead.`,
  );
};
