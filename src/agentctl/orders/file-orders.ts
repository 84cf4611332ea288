import { linkMethods } from "../../contract/link/link.ts";
import type { fileMethods } from "../../contract/link/link-files.ts";
import type { Daemon } from "../daemon/daemon.ts";
import { method, type Order } from "./method.ts";

/** What the link can be asked about the files of workspaces. */
export const fileOrders = ({
  files,
}: Pick<Daemon, "files">): Record<keyof typeof fileMethods, Order> => ({
  list_files: method(linkMethods.list_files, (order) => files.list(order)),
});
