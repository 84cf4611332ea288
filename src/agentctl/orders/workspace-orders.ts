import { linkMethods } from "../../contract/link/link.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type {
  AgentSession,
  workspaceMethods,
} from "../../contract/link/link-workspace.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { Executions } from "../execution/executions.ts";
import type { Commands } from "../run/commands.ts";
import { type Caller, method, type Order } from "./method.ts";
import { withKeptPath } from "../daemon/kept-path.ts";
import type { Daemon } from "../daemon/daemon.ts";
import { overOwn } from "../daemon/own-environment.ts";
import { abandon } from "../workspace/upkeep/abandon.ts";
import { exportArchive, importArchive } from "../workspace/upkeep/archive.ts";
import { countedCheckpoint } from "../workspace/changes/counted-checkpoint.ts";
import { diff } from "../workspace/changes/diff.ts";
import { discard } from "./discard.ts";
import { keepGit } from "../workspace/git/git-state.ts";
import { look } from "./look.ts";
import { disk, Prunes } from "../workspace/upkeep/prune.ts";
import { ofArchive, refusing } from "./refusing.ts";
import { rewind } from "../workspace/rewind/rewind.ts";
import { Verifications } from "../workspace/upkeep/verify.ts";
import type { Shells } from "../shells/shells.ts";
import { makeWorkspace } from "../workspace/upkeep/make-workspace.ts";
import { makeWorktree } from "../workspace/git/worktree.ts";

/** What the link can be asked about workspaces and checkpoints. */
export const workspaceOrders = (
  daemon: Daemon,
  executions: Executions,
  commands: Commands,
  shells: Shells,
): Record<keyof typeof workspaceMethods, Order> => {
  const { storage } = daemon;
  const prunes = new Prunes(storage);
  const verifications = new Verifications(storage);
  return {
    look: method(linkMethods.look, async (order, { owner }) =>
      look(daemon, executions, await withAgentsPath(daemon, order), owner),
    ),
    checkpoint: method(linkMethods.checkpoint, async (order) =>
      countedCheckpoint(daemon, await withAgentsPath(daemon, order)),
    ),
    diff: method(linkMethods.diff, (order) =>
      refusing(() => {
        const { to } = order;
        return typeof to === "object" && to !== null
          ? diff(storage, { ...order, to: withOwn(daemon, to) })
          : diff(storage, order);
      }),
    ),
    rewind: method(linkMethods.rewind, (order) =>
      refusing(() => rewind(storage, withOwn(daemon, order))),
    ),
    make_workspace: method(
      linkMethods.make_workspace,
      async ({ session_id }, caller) => {
        refuseOthers(caller);
        return { path: await makeWorkspace(daemon.workspaces, session_id) };
      },
    ),
    worktree: method(linkMethods.worktree, async (order) => {
      await makeWorktree(order);
      return {};
    }),
    keep_commits: method(
      linkMethods.keep_commits,
      async ({ session_id, repository, git }) => {
        await keepGit(repository, session_id, git);
        return {};
      },
    ),
    export_archive: method(linkMethods.export_archive, (order, { transfers }) =>
      refusing(() => exportArchive(storage, transfers, order)),
    ),
    import_archive: method(linkMethods.import_archive, (order, { transfers }) =>
      refusing(() => importArchive(storage, transfers, order), ofArchive),
    ),
    prune_begin: method(linkMethods.prune_begin, async (_, caller) => {
      refuseOthers(caller);
      return refusing(() => prunes.begin());
    }),
    prune: method(linkMethods.prune, async (order, caller) => {
      refuseOthers(caller);
      return refusing(() => prunes.prune(order));
    }),
    verify: method(linkMethods.verify, async (order, caller) => {
      if (!order.dry_run) refuseOthers(caller);
      return refusing(() => verifications.run(order));
    }),
    disk: method(linkMethods.disk, (order) =>
      refusing(() => disk(storage, order)),
    ),
    abandon: method(linkMethods.abandon, async (order, caller) => {
      refuseOthers(caller);
      return abandon(storage, order);
    }),
    discard: method(linkMethods.discard, async (order, caller) => {
      refuseOthers(caller);
      const { owner } = caller;
      await commands.end(order.session_id);
      await shells.removeOf(owner, order.session_id);
      await discard(daemon, executions, order, owner);
      return {};
    }),
  };
};

/** Files are not kept by owner: only the home's own server knows what is needed there. */
const refuseOthers = ({ isHomes }: Caller): void => {
  if (!isHomes)
    throw new LinkError("not_owner", "these files belong to another home");
};

/** Where the agents' homes are is said by the environment. */
const withOwn = <T extends { env?: Record<string, string> | undefined }>(
  { ownEnvironment }: Daemon,
  order: T,
): T =>
  order.env === undefined
    ? order
    : { ...order, env: overOwn(ownEnvironment, order.env) };

const withAgentsPath = async <
  T extends { session_id: SessionId; agent: AgentSession },
>(
  daemon: Daemon,
  order: T,
): Promise<T> => ({
  ...order,
  agent: await withKeptPath(daemon, order.session_id, order.agent),
});
