import type { ExecutionId, SessionId } from "../../contract/base/id.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { linkMethods } from "../../contract/link/link.ts";
import type { runMethods } from "../../contract/link/link-run.ts";
import type { SessionProcess } from "../../contract/session/process.ts";
import {
  askToEnd,
  endProcess,
  identify,
} from "../../kit/processes/process-identity.ts";
import { processId } from "../../kit/processes/process-table.ts";
import type { Owner } from "../base/owners.ts";
import type { Daemon } from "../daemon/daemon.ts";
import type { Executions } from "../execution/executions.ts";
import { processesOf } from "../processes/process-list.ts";
import type { Commands } from "../run/commands.ts";
import { whyNotSandboxed } from "../sandbox/sandboxed.ts";
import { method, type Order } from "./method.ts";

const MAX_TOLD = 500;
/** Between asking a process to end and killing it. */
const GRACE_MS = 2000;

/** What the link can be asked about commands and processes. */
export const runOrders = (
  daemon: Daemon,
  executions: Executions,
  commands: Commands,
): Record<keyof typeof runMethods, Order> => {
  const list = async (
    session: SessionId,
    owner: Owner,
  ): Promise<SessionProcess[]> => {
    const all = await executions.all();
    const wrappers = new Map<ExecutionId, number>(
      all.flatMap(({ id, history: { wrapper, ended } }) =>
        wrapper === null || ended ? [] : [[id, wrapper.pid]],
      ),
    );
    const foreign = commands.foreign(owner);
    for (const each of all) if (each.owner !== owner) foreign.add(each.id);
    const found = await processesOf(session, wrappers);
    return found.filter(({ owner_id }) => !foreign.has(owner_id));
  };
  return {
    exec: method(linkMethods.exec, (order, caller) =>
      commands.run(order, caller),
    ),
    sandbox: method(linkMethods.sandbox, async ({ cwd }) => ({
      why: await whyNotSandboxed(daemon, cwd),
    })),
    cancel_exec: method(
      linkMethods.cancel_exec,
      async ({ command_id }, { owner }) => {
        commands.cancel(owner, command_id);
        return {};
      },
    ),
    processes: method(
      linkMethods.processes,
      async ({ session_id }, { owner }) => {
        const found = await list(session_id, owner);
        return {
          processes: found.slice(0, MAX_TOLD),
          truncated: found.length > MAX_TOLD,
        };
      },
    ),
    end_process: method(
      linkMethods.end_process,
      async ({ session_id, process_id }, { owner }) => {
        const found = await list(session_id, owner);
        const wanted = found.find(({ id }) => id === process_id);
        if (wanted?.is_agent === true) throw isAgent();
        const known = wanted === undefined ? null : await identify(wanted.pid);
        if (known === null || processId(known) !== process_id)
          throw new LinkError(
            "unknown_process",
            `No process ${process_id} runs for this session. It may have ended: list them again.`,
          );
        if (!(await askToEnd(known, GRACE_MS))) await endProcess(known);
        return {};
      },
    ),
  };
};

const isAgent = (): LinkError =>
  new LinkError(
    "process_is_agent",
    "This process is the agent itself. Pause the session to stop it.",
  );
