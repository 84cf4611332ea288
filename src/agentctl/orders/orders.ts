import { realpath } from "node:fs/promises";
import { agentOf, knownAgents } from "../../agents/registry.ts";
import { viewOf } from "../../agents/view.ts";
import { linkMethods, type LinkMethod } from "../../contract/link/link.ts";
import { checkOutput, stop } from "../execution/end.ts";
import type { Execution } from "../execution/execution.ts";
import type { Executions } from "../execution/executions.ts";
import type { Owner } from "../base/owners.ts";
import type { Daemon } from "../daemon/daemon.ts";
import { overOwn } from "../daemon/own-environment.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { hasErrno } from "../../kit/errno.ts";
import { kindOf } from "../workspace/capture/kind-of.ts";
import type { Commands } from "../run/commands.ts";
import { runOrders } from "./run-orders.ts";
import type { Shells } from "../shells/shells.ts";
import { shellOrdersOf } from "./shell-orders.ts";
import { workspaceOrders } from "./workspace-orders.ts";
import { fileOrders } from "./file-orders.ts";
import { type Caller, method, type Order } from "./method.ts";

export type Orders = Record<Exclude<LinkMethod, "hello">, Order>;

/** What each method of the link does. */
export const ordersOf = (
  daemon: Daemon,
  executions: Executions,
  commands: Commands,
  shells: Shells,
  retire: () => void,
): Orders => ({
  start: method(linkMethods.start, async (order, caller) => {
    const execution = await executions.start(order, caller);
    attach(execution, execution.history.acknowledged, caller);
    return {};
  }),

  executions: method(linkMethods.executions, async (_, { owner }) => ({
    executions: (await executions.all())
      .filter((execution) => execution.owner === owner)
      .map(({ id, epoch, session, history }) => ({
        execution_id: id,
        epoch,
        session_id: session,
        alive: !history.ended,
      })),
  })),

  attach: method(
    linkMethods.attach,
    async ({ execution_id, epoch, from }, caller) => {
      const { owner } = caller;
      const execution = await executions.find(owner, execution_id, epoch);
      await checkOutput(execution, from);
      attach(execution, from, caller);
      return {};
    },
  ),

  prompt: method(
    linkMethods.prompt,
    async ({ execution_id, epoch, prompt_id, content }, { owner }) => {
      const execution = await alive(executions, owner, execution_id, epoch);
      await execution.prompt(prompt_id, content);
      return {};
    },
  ),

  cancel: method(
    linkMethods.cancel,
    async ({ execution_id, epoch }, { owner }) => {
      const execution = await alive(executions, owner, execution_id, epoch);
      execution.want({ kind: "cancel" });
      return {};
    },
  ),

  answer: method(
    linkMethods.answer,
    async ({ execution_id, epoch, permission_id, option_id }, { owner }) => {
      const execution = await alive(executions, owner, execution_id, epoch);
      execution.answer(permission_id, option_id);
      return {};
    },
  ),

  change: method(linkMethods.change, async (order, { owner }) => {
    const { execution_id, epoch, ...want } = order;
    const execution = await alive(executions, owner, execution_id, epoch);
    execution.change({ kind: "change", ...want });
    return {};
  }),

  stop: method(linkMethods.stop, async (order, { owner }) => {
    const { execution_id, epoch, grace_ms } = order;
    const execution = await executions.find(owner, execution_id, epoch);
    stop(execution, grace_ms).catch((error: unknown) =>
      execution.log("cannot stop", error),
    );
    return {};
  }),

  acknowledge: method(
    linkMethods.acknowledge,
    async ({ execution_id, epoch, to, report }, { owner }) => {
      const execution = await executions.find(owner, execution_id, epoch);
      execution.acknowledge(report, to);
      return {};
    },
  ),

  forget: method(
    linkMethods.forget,
    async ({ execution_id, epoch }, caller) => {
      const { attachments, owner } = caller;
      attachments.delete(execution_id);
      const execution = await executions.find(owner, execution_id, epoch);
      await executions.forget(execution);
      return {};
    },
  ),

  agents: method(
    linkMethods.agents,
    async ({ overrides, only, cwd, env: sentEnv }) => {
      // An older server does not say with which environment agents are started.
      const env =
        sentEnv === undefined
          ? ownVariables()
          : overOwn(daemon.ownEnvironment, sentEnv);
      const { programs, node } = daemon;
      const path = env["PATH"] ?? "";
      const project = only?.cwd ?? cwd;
      const where = {
        path,
        env,
        programs,
        node,
        ...(project !== undefined && { cwd: project }),
      };
      if (only === undefined) {
        const views = knownAgents(overrides).map((agent) =>
          viewOf(agent, where, { patient: true }),
        );
        return { agents: await Promise.all(views) };
      }
      const agent = agentOf(only.id, overrides[only.id]);
      return {
        agents: agent ? [await viewOf(agent, where, { patient: false })] : [],
      };
    },
  ),

  survivors: method(
    linkMethods.survivors,
    async ({ execution_id }, { owner }) => ({
      pids: await executions.survivors(owner, execution_id),
    }),
  ),

  clear: method(linkMethods.clear, async ({ execution_id }, { owner }) => {
    await executions.clear(owner, execution_id);
    return {};
  }),

  retire: method(linkMethods.retire, async () => {
    retire();
    return {};
  }),

  release: method(linkMethods.release, async ({ transfers }, caller) => {
    await caller.transfers.release(transfers);
    return {};
  }),

  workspace: method(linkMethods.workspace, async ({ path }) => {
    try {
      const kind = await kindOf(path);
      if (kind === "missing") return { kind };
      return { kind, real: await realpath(path) };
    } catch (error) {
      // Links in a circle, names that are too long, directories that are closed to us: nothing that can be worked in.
      if (!hasErrno(error, "ELOOP", "ENAMETOOLONG", "EACCES")) throw error;
      return { kind: "other" as const, real: path };
    }
  }),

  probe: method(linkMethods.probe, async ({ agent, override, cwd }) => ({
    supports_session_resume: agentOf(agent, override)?.native === true,
    supports_workspace_only: (await kindOf(cwd)) === "directory",
  })),

  ...workspaceOrders(daemon, executions, commands, shells),
  ...fileOrders(daemon),
  ...runOrders(daemon, executions, commands),
  ...shellOrdersOf(daemon, shells),
});

const attach = (execution: Execution, from: number, caller: Caller): void => {
  const { id, epoch } = execution;
  const detach = execution.attach(
    (number, items) =>
      caller.report({ execution_id: id, epoch, number, items }),
    from,
  );
  caller.attachments.set(id, detach);
};

/** Orders that make an agent do something are only for the newest execution of its session, and while it lives. */
const alive = async (
  executions: Executions,
  owner: Owner,
  id: Execution["id"],
  epoch: number,
): Promise<Execution> => {
  const execution = await executions.find(owner, id, epoch);
  executions.checkEpoch(execution, epoch, id);
  if (execution.history.ended)
    throw new LinkError("execution_ended", `${id} has ended`);
  return execution;
};

const ownVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
