/**
 * Files of a workspace over the link. Bytes go by streams: agentctl's half begins with an answer, its length in four bytes
 * and JSON like that of an order (`{result}` or `{error}`), and the bytes of a file follow it.
 */
import * as z from "zod";
import { Directories } from "../session/directories.ts";
import {
  DirectoryPage,
  FileState,
  WrittenFile,
} from "../session/workspace-file.ts";

/** Where a session works, and a path in there: text as `path-text.ts` has it. */
const at = { cwd: z.string(), path: z.string() };

/** Etags, one of which must be that of the file; `*` is any file that is there. */
const Etags = z.union([z.literal("*"), z.array(z.string())]);

export const fileMethods = {
  list_files: {
    params: z.object({
      ...at,
      after: z.string().exactOptional(),
      limit: z.number().int().positive(),
    }),
    result: DirectoryPage,
  },
  /** Of the machine, whether a session works there or not. */
  list_directories: {
    params: z.object({
      path: z.string(),
      limit: z.number().int().positive(),
    }),
    result: Directories,
  },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;

/** The bytes that are wanted: from one to another, both included, or the last so many. */
export const ByteRange = z.union([
  z.object({ first: z.number().int(), last: z.number().int().exactOptional() }),
  z.object({ suffix: z.number().int() }),
]);
export type ByteRange = z.infer<typeof ByteRange>;

export const ReadFile = z.object({
  ...at,
  range: ByteRange.exactOptional(),
  if_match: Etags.exactOptional(),
  if_none_match: Etags.exactOptional(),
  /** The range counts only while the file has this etag. */
  if_range: z.string().exactOptional(),
  /** Only what the file is, not its bytes. */
  only_look: z.boolean(),
});
export type ReadFile = z.infer<typeof ReadFile>;
/** What is asked of a file besides where it is. */
export type FileRead = Omit<ReadFile, "cwd" | "path">;

/** What comes before the bytes. Where the path is a directory it says so, and nothing comes. */
export const FileHead = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("directory") }),
  FileState.extend({
    kind: z.literal("file"),
    /** Its first bytes are text in UTF-8. */
    text: z.boolean(),
    /** Which bytes follow; none where the caller has them (`unchanged`), asked for some behind the end, or only looks. */
    sent: z.enum(["whole", "partial", "unchanged", "unsatisfiable", "look"]),
    start: z.number(),
    /** How many bytes follow. */
    length: z.number(),
  }),
]);
export type FileHead = z.infer<typeof FileHead>;

/** Its content is the server's half of the stream. Nothing is changed unless that comes to its end. */
export const WriteFile = z.object({
  ...at,
  if_match: Etags.exactOptional(),
  if_none_match: z.literal("*").exactOptional(),
});
export type WriteFile = z.infer<typeof WriteFile>;
export type FileWrite = Omit<WriteFile, "cwd" | "path">;

export const WriteAnswer = WrittenFile;
