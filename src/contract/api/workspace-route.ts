/** The routes about the workspace of a session: its files. */
import * as z from "zod";
import {
  DirectoryPage,
  MAX_ENTRIES,
  WrittenFile,
} from "../session/workspace-file.ts";

/** For a directory: a page of it. */
export const FilesQuery = z.strictObject({
  /** The `next` of the page before. */
  after: z.string().min(1).max(2000).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_ENTRIES).default(MAX_ENTRIES),
});
export type FilesQuery = z.infer<typeof FilesQuery>;

/** `:path` is the rest of the address, slashes included, its bytes percent-encoded. */
export const workspaceRoutes = {
  showFile: {
    method: "GET",
    path: "/api/sessions/:id/files/:path",
    summary:
      "A file of the workspace, or a page of a directory; Range, If-Match and If-None-Match hold",
    query: FilesQuery,
    status: 200,
    answer: DirectoryPage,
    traits: ["download", "document"],
  },
  putFile: {
    method: "PUT",
    path: "/api/sessions/:id/files/:path",
    summary:
      "Write a file of the workspace, whole or not at all; If-Match and If-None-Match hold",
    status: 200,
    answer: WrittenFile,
    traits: ["upload"],
  },
} as const;
