import { z } from "zod";

/** One piece of a prompt. */
export const ContentBlock = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({
    type: z.literal("image"),
    mime_type: z.string(),
    data: z.base64(),
  }),
  z.strictObject({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: z.string(),
  }),
  z.strictObject({
    type: z.literal("resource"),
    uri: z.string(),
    mime_type: z.string().optional(),
    text: z.string(),
  }),
]);
export type ContentBlock = z.infer<typeof ContentBlock>;

export const textOf = (content: readonly ContentBlock[]): string =>
  content
    .map((block) =>
      block.type === "text" || block.type === "resource"
        ? block.text
        : `[${block.type}${block.type === "resource_link" ? ` ${block.uri}` : ""}]`,
    )
    .join("\n");
