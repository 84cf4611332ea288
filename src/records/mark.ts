import { constants } from "node:fs";
import * as z from "zod";
import { openPlain } from "./plain-file.ts";

const bytes = z.number().int().nonnegative();

/**
 * How far the files go, as of a moment between turns: in `metadata.json` as `written`. Whoever finds the files at least
 * this long goes on from here. They may be longer (their writer was killed), never shorter.
 */
export const Mark = z.object({
  /** Of the files: a release that writes them otherwise makes them anew. */
  format: z.literal(2),
  /** The last event that is in the files. */
  last_seq: z.number().int().positive(),
  log_bytes: bytes,
  history_bytes: bytes,
  /** Messages that `conversation.json` leaves out. */
  conversation_omitted: bytes.default(0),
  /** The newest message, and what comes before it. */
  conversation_messages: bytes,
  conversation_bytes: bytes,
  last_message_bytes: bytes,
});
export type Mark = z.infer<typeof Mark>;

const Metadata = z.object({ written: Mark });

/** Null when there is none that makes sense: the files are made anew then. */
export const readMark = async (path: string): Promise<Mark | null> => {
  try {
    await using file = await openPlain(path, constants.O_RDONLY);
    const text = await file.readFile("utf8");
    return Metadata.parse(JSON.parse(text)).written;
  } catch {
    return null;
  }
};
