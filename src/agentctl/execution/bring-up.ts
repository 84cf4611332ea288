import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Agent, OwnMode } from "../../agents/agent/agent.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { StartOrder } from "../../contract/link/link.ts";
import { hasErrno } from "../../kit/errno.ts";
import {
  conclude,
  concludeWhen,
  giveUp,
  killGroup,
  loseOutput,
} from "./end.ts";
import { environmentFor } from "./environment.ts";
import type { Execution } from "./execution.ts";
import { makeFiles } from "./hold/files.ts";
import { launch } from "./hold/launch.ts";
import { keepPath, withKeptPath } from "../daemon/kept-path.ts";
import { environmentInside, sandboxPrefix } from "../sandbox/sandboxed.ts";
import { openStdin, senderFor } from "./sending.ts";
import { setupOf } from "./setup.ts";
import {
  lookAtWorkspace,
  prepareOpening,
  prepareWorkspace,
} from "./prepare.ts";

/** Brings an agent to the point where it takes prompts. How that goes is reported; nothing is thrown. */
export const bringUp = async (
  execution: Execution,
  agent: Agent,
  order: StartOrder,
): Promise<void> => {
  giveUpWhenFailed(execution);
  try {
    await start(execution, agent, order);
  } catch (error) {
    execution.log("the agent cannot be started", error);
    if (error instanceof LinkError && error.code === "sandbox_unavailable")
      return execution.onFailed(error.code, error.message);
    execution.onFailed(
      hasErrno(error, "ENOSPC") ? "out_of_disk" : "agent_error",
      `The agent could not be started: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

const start = async (
  execution: Execution,
  agent: Agent,
  received: StartOrder,
): Promise<void> => {
  const { daemon, session } = execution;
  const order = await withKeptPath(daemon, session, received);
  const restored = await prepareWorkspace(execution, order);
  if (typeof restored === "object")
    return execution.onFailed(restored.failure, restored.message);
  if (execution.history.stopping) return conclude(execution);
  if (!(await isDirectory(order.cwd)))
    return execution.onFailed(
      "workspace_missing",
      `${order.cwd} is no directory.`,
    );
  execution.workspace = restored ? "restored" : null;
  // Looking at the workspace goes on while the agent comes up, and is called off when there is no time for it.
  const late = new AbortController();
  try {
    const looking = restored
      ? Promise.resolve("restored" as const)
      : lookAtWorkspace(execution, order, late.signal);
    const look = async () => {
      const timer = setTimeout(() => late.abort(), execution.daemon.lookMs);
      execution.workspace = await looking;
      clearTimeout(timer);
    };
    // It was missing when this was ordered, so an agentctl that died has brought it back. Should we die too, who adopts the
    // agent finds that with the launch.
    if (order.rebuild?.restore === true) await look();
    await startIn(execution, agent, order, look);
  } finally {
    late.abort();
  }
};

/** Starts the agent in a workspace that is there. Nothing is said to it before the workspace was looked at. */
const startIn = async (
  execution: Execution,
  agent: Agent,
  order: StartOrder,
  looked: () => Promise<void>,
): Promise<void> => {
  const { daemon, files, timeline } = execution;
  const { cwd } = order;
  const found = await agent.locate({
    path: order.env["PATH"] ?? DEFAULT_PATH,
    env: order.env,
    programs: daemon.programs,
    node: daemon.node,
    cwd,
  });
  if (found === null)
    return execution.onFailed("agent_not_installed", notInstalled(agent));
  const prepared = await environmentFor(execution, agent, order, found);
  const { argv, env } = await inSandbox(execution, agent, order, {
    argv: found.argv,
    env: prepared,
  });
  execution.env = env;
  const open = await prepareOpening(execution, agent, order, env);
  const own_mode = await ownModeOf(agent, order, env);
  await makeFiles(files, daemon.fifos);
  if (execution.history.stopping) return conclude(execution);
  await keepPath(daemon, order.session_id, order).catch((error: unknown) =>
    execution.log("the PATH cannot be kept", error),
  );
  const { wrapper, gone } = await launch(files, { argv, env, cwd });
  const { workspace } = execution;
  try {
    await timeline.recordDurably({
      kind: "launched",
      wrapper,
      open,
      workspace,
      own_mode,
      allows_all: agent.allowsAll?.(env) ?? false,
    });
    await looked();
    const sender = senderFor(execution, openStdin(execution));
    execution.hold(execution.speech.begin(setupOf(execution, open)), sender);
  } finally {
    // Not before it is read: one that is gone already has its last words in the file.
    concludeWhen(execution, gone);
  }
  watchDeadline(execution, order.deadline_ms);
  // It may have been told to stop before there was anything to stop.
  if (execution.history.stopping) await killGroup(execution, "SIGKILL");
};

/** Files of ours that it is to read are named in its environment. */
const inSandbox = async (
  execution: Execution,
  agent: Agent,
  { definition: { sandbox }, session_id, cwd, env: person }: StartOrder,
  started: { argv: readonly string[]; env: Record<string, string> },
): Promise<typeof started> => {
  if (sandbox === undefined) return started;
  const { daemon, files, id } = execution;
  const env = environmentInside(started.env, sandbox);
  const prefix = await sandboxPrefix(daemon, {
    id,
    tell: (text) => execution.notice("host_refused", text),
    sandbox,
    session_id,
    agent,
    cwd,
    env,
    given: started.env,
    person,
    argv: started.argv,
    files: Object.values(env).filter(
      (value) => dirname(value) === files.directory,
    ),
  });
  return { argv: [...prefix, ...started.argv], env };
};

/** What the session's definition asks for comes before the person's own configuration. */
const ownModeOf = async (
  agent: Agent,
  { definition, cwd }: StartOrder,
  env: Record<string, string>,
): Promise<OwnMode | null> =>
  definition.mode === undefined && agent.ownMode !== undefined
    ? agent.ownMode({ home: env["HOME"] ?? "", cwd, env })
    : null;

const isDirectory = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

const notInstalled = ({ name, install }: Agent): string =>
  install === null
    ? `${name} is not installed`
    : `${name} is not installed (this installs it: ${install})`;

export const giveUpWhenFailed = (execution: Execution): void => {
  execution.onFailed = (failure, message, restriction) => {
    giveUp(execution, failure, message, restriction).catch((error: unknown) =>
      execution.log("cannot give up", error),
    );
  };
  execution.onOutputLost = () => {
    loseOutput(execution).catch((error: unknown) =>
      execution.log("cannot end it without its output", error),
    );
  };
};

export const watchDeadline = (execution: Execution, ms: number): void => {
  const timer = setTimeout(() => {
    if (execution.history.ready === null)
      execution.onFailed(
        "agent_not_answering",
        `The agent did not answer within ${ms / 1000} s`,
      );
  }, ms);
  timer.unref();
  void execution.ended.promise.then(() => clearTimeout(timer));
};
