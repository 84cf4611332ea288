import { linkMethods } from "../../contract/link.ts";
import type { workspaceMethods } from "../../contract/link-workspace.ts";
import type { Executions } from "../executions.ts";
import { method, type Order } from "../link/method.ts";
import type { Place } from "../place.ts";
import { Refused } from "../refused.ts";
import { checkpoint } from "./checkpoint.ts";
import { look } from "./look.ts";

const notYet = (): Promise<never> =>
  Promise.reject(new Refused("unknown_method", "not built yet"));

/** What the link can be asked about workspaces and checkpoints. */
export const workspaceOrders = (
  place: Place,
  executions: Executions,
): Record<keyof typeof workspaceMethods, Order> => ({
  look: method(linkMethods.look, (params) => look(place, executions, params)),
  checkpoint: method(linkMethods.checkpoint, (params) =>
    checkpoint(place.depot, params),
  ),
  diff: notYet,
  rewind: notYet,
  worktree: notYet,
  export: notYet,
  import: notYet,
  prune_begin: notYet,
  prune: notYet,
  disk: notYet,
  discard: notYet,
});
