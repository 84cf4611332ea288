/** Where a session could work: directories of the machine, while somebody types a path. */
import * as z from "zod";
import { placeFields } from "./request.ts";
import { endpoint } from "./route-table.ts";
import { Directories, MAX_DIRECTORIES } from "../session/directories.ts";

export const DirectoriesQuery = z.strictObject({
  /** An absolute path as far as it is typed. What stands behind its last `/` is the beginning of a name. */
  path: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^\//, "an absolute path, as in /home/me"),
  /** Of which machine; the server's own unless it is said. */
  ...placeFields,
  limit: z.coerce.number().int().min(1).max(MAX_DIRECTORIES).default(50),
});
export type DirectoriesQuery = z.infer<typeof DirectoriesQuery>;

export const directoryRoutes = {
  listDirectories: {
    ...endpoint("listDirectories"),
    summary: "Directories whose paths begin as somebody typed",
    query: DirectoriesQuery,
    answer: Directories,
  },
} as const;
