/** What an exported session holds besides the trees of its checkpoints. */
import * as z from "zod";
import { SessionId } from "../base/id.ts";

export const MANIFEST = "manifest.json";
/** One event per line, from the first on. */
export const JOURNAL = "journal.ndjson";
/** Whoever takes it in has all of it in memory at once: the session becomes one transaction. */
export const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;
export const MAX_MANIFEST_BYTES = 64 * 1024;

export const ARCHIVE_VERSION = 1;

export const Manifest = z.object({
  version: z.literal(ARCHIVE_VERSION),
  session_id: SessionId,
  /** How many events the journal has. */
  events: z.number().int().positive(),
  exported_at: z.iso.datetime(),
  /** Of the program that wrote it. */
  release: z.string(),
  /** The journal went on from this event, and was damaged there: the rest of it is not in the file. */
  damaged_from: z.number().int().positive().optional(),
});
export type Manifest = z.infer<typeof Manifest>;

/** What can be read of any version. */
export const AnyManifest = z.object({ version: z.number().int().positive() });
