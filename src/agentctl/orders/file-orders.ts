import { linkMethods } from "../../contract/link/link.ts";
import type { fileMethods } from "../../contract/link/link-files.ts";
import type { gitMethods } from "../../contract/link/link-git.ts";
import type { Daemon } from "../daemon/daemon.ts";
import {
  gitBranches,
  gitDiff,
  gitLog,
  gitStatus,
} from "../workspace/git-look/git-look.ts";
import { method, type Order } from "./method.ts";

/** What the link can be asked about the files of workspaces, and about what git says of them. */
export const fileOrders = ({
  files,
}: Pick<Daemon, "files">): Record<
  keyof typeof fileMethods | keyof typeof gitMethods,
  Order
> => ({
  list_files: method(linkMethods.list_files, (order) => files.list(order)),
  list_directories: method(linkMethods.list_directories, (order) =>
    files.directories(order),
  ),
  git_status: method(linkMethods.git_status, gitStatus),
  git_diff: method(linkMethods.git_diff, gitDiff),
  git_log: method(linkMethods.git_log, gitLog),
  git_branches: method(linkMethods.git_branches, gitBranches),
});
