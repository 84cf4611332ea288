import * as z from "zod";
import type { Tool } from "./conversation.ts";

/** The arguments of a tool as every API describes them. */
export const Arguments = z.object({
  properties: z
    .record(
      z.string(),
      z.object({ type: z.union([z.string(), z.array(z.string())]).optional() }),
    )
    .default({}),
  required: z.array(z.string()).default([]),
});

export const toolOf = (
  name: string,
  given: z.infer<typeof Arguments> | null | undefined,
): Tool => ({
  name,
  properties: given?.properties ?? {},
  required: given?.required ?? [],
});

/** Content is a string or a list of blocks, of which some are text. */
export const Content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
]);

export const contentText = (
  content: z.infer<typeof Content> | null | undefined,
): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map(({ text }) => text ?? "").join("\n");
