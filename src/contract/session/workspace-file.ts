/** Files of a session's workspace, as every door shows them. */
import * as z from "zod";

/** A path, or a name in one, whose bytes are not UTF-8, in Base64. The text beside it has lone surrogates for such bytes. */
const Bytes = z.base64().exactOptional();

export const FileEntry = z.object({
  name: z.string(),
  name_bytes: Bytes,
  /** `other`: a FIFO, a socket or a device. */
  kind: z.enum(["file", "directory", "link", "other"]),
  /** In bytes. */
  size: z.number(),
  modified_at: z.iso.datetime(),
  /** Whether its owner may run it. */
  executable: z.boolean(),
  /** Where a link leads, as it says. */
  target: z.string().exactOptional(),
  target_bytes: Bytes,
});
export type FileEntry = z.infer<typeof FileEntry>;

/** Directories first, then everything else, each by the bytes of their names. */
export const DirectoryPage = z.object({
  /** Without links, relative to the workspace; empty for the workspace itself. */
  path: z.string(),
  path_bytes: Bytes,
  entries: z.array(FileEntry),
  /** Asks for the next page; null at the end. */
  next: z.string().nullable(),
});
export type DirectoryPage = z.infer<typeof DirectoryPage>;

/** What a file was when it was looked at. */
export const FileState = z.object({
  /** Another one whenever the file changed. */
  etag: z.string(),
  size: z.number(),
  modified_at: z.iso.datetime(),
});
export type FileState = z.infer<typeof FileState>;

export const WrittenFile = FileState.extend({
  path: z.string(),
  path_bytes: Bytes,
  /** There was none before. */
  created: z.boolean(),
});
export type WrittenFile = z.infer<typeof WrittenFile>;
