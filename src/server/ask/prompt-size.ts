import type { ContentBlock } from "../../contract/base/content.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { MAX_PROMPT_BYTES } from "../../contract/api/request.ts";
import { unreachable } from "../../kit/unreachable.ts";

/** What fits into a body may still be too large for a prompt: an agent reads it as one line. */
export const refuseLargePrompt = (prompt: {
  text?: string | undefined;
  content?: readonly ContentBlock[] | undefined;
}): void => {
  const texts = [prompt.text ?? "", ...(prompt.content ?? []).map(payload)];
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (size > MAX_PROMPT_BYTES)
    throw new RepriseError(
      "body_too_large",
      `The prompt has ${size} bytes, at most ${MAX_PROMPT_BYTES} are allowed. Put long texts into a file of the workspace and name it.`,
    );
};

const payload = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
    case "resource":
      return block.text;
    case "image":
      return block.data;
    case "resource_link":
      return block.uri;
    default:
      return unreachable(block);
  }
};
