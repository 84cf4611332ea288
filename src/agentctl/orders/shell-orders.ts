import { linkMethods } from "../../contract/link/link.ts";
import type { shellOrders } from "../../contract/link/link-shell.ts";
import type { Daemon } from "../daemon/daemon.ts";
import { overOwn } from "../daemon/own-environment.ts";
import type { Shells } from "../shells/shells.ts";
import { method, type Order } from "./method.ts";

/** What the link can be asked about interactive shells. */
export const shellOrdersOf = (
  { ownEnvironment }: Pick<Daemon, "ownEnvironment">,
  shells: Shells,
): Record<keyof typeof shellOrders, Order> => ({
  shell_open: method(linkMethods.shell_open, async (order, caller) => ({
    shell: (
      await shells.open(
        { ...order, env: overOwn(ownEnvironment, order.env) },
        caller,
      )
    ).view,
  })),

  shell_list: method(
    linkMethods.shell_list,
    async ({ session_id }, { owner }) => ({
      shells: shells.of(owner, session_id).map(({ view }) => view),
    }),
  ),

  shell_resize: method(
    linkMethods.shell_resize,
    async ({ session_id, shell_id, ...size }, { owner }) => {
      const shell = await shells.find(owner, session_id, shell_id);
      await shell.resize(size);
      return { shell: shell.view };
    },
  ),

  shell_close: method(
    linkMethods.shell_close,
    async ({ session_id, shell_id }, { owner }) => {
      const shell = await shells.find(owner, session_id, shell_id);
      await shells.remove(shell);
      return { shell: shell.view };
    },
  ),

  shell_end_all: method(
    linkMethods.shell_end_all,
    async ({ session_id }, { owner }) => {
      await shells.endOf(owner, session_id, "session_deleted");
      return {};
    },
  ),
});
