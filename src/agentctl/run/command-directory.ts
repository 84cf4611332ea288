/** The directory that a command runs in: held while the command is started, so that nobody can put another in its place. */
import { relative, resolve } from "node:path";
import { LinkError } from "../../contract/link/link-error.ts";
import type { LinkParams } from "../../contract/link/link.ts";
import type { LinkRefusal } from "../../contract/link/link-refusal.ts";
import { isInside } from "../../kit/files/is-inside.ts";
import type { WorkspaceFiles } from "../workspace/files/workspace-files.ts";

export interface CommandDirectory {
  /** Leads to the directory that is held, whatever bears its name now. */
  held: string;
  /** What it is called. */
  name: string;
}

export const inCommandDirectory = async <T>(
  files: Pick<WorkspaceFiles, "inDirectory">,
  { cwd, within }: Pick<LinkParams<"exec">, "cwd" | "within">,
  work: (directory: CommandDirectory) => Promise<T>,
): Promise<T> => {
  const name = resolve(cwd, within);
  if (!isInside(name, cwd))
    throw new LinkError(
      "path_outside",
      `${within} leads out of the workspace. Name a directory inside of it.`,
    );
  let isHeld = false;
  try {
    return await files.inDirectory(
      { cwd, path: relative(cwd, name) },
      (held) => {
        isHeld = true;
        return work({ held, name });
      },
    );
  } catch (error) {
    if (!isHeld && error instanceof LinkError && missing.has(error.code))
      throw new LinkError(
        "workspace_unreadable",
        `${name} is no directory. A workspace that is missing is restored when its session is resumed.`,
      );
    throw error;
  }
};

/** What the walk says of a directory that is not there, or cannot be entered. */
const missing: ReadonlySet<LinkRefusal> = new Set<LinkRefusal>([
  "path_not_found",
  "not_a_directory",
  "too_many_links",
  "path_denied",
  "path_invalid",
  "workspace_missing",
]);
