import * as z from "zod";

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

/** How much memory the content takes, near enough for limits. */
export const sizeOf = (content: readonly ContentBlock[]): number =>
  content.reduce(
    (sum, block) =>
      sum +
      (block.type === "image"
        ? block.data.length
        : block.type === "resource_link"
          ? block.uri.length
          : block.text.length),
    0,
  );
