import { stat } from "node:fs/promises";
import type { Agent } from "../agents/agent.ts";
import type { Launch } from "../agents/launch.ts";
import type { StartOrder } from "../contract/link.ts";
import { hasErrno } from "../kit/errno.ts";
import type { Open } from "./drivers/driver.ts";
import {
  conclude,
  concludeWhen,
  giveUp,
  killGroup,
  loseOutput,
} from "./end.ts";
import type { Execution } from "./execution.ts";
import { makeFiles } from "./hold/files.ts";
import { launch } from "./hold/launch.ts";
import { openStdin, senderFor } from "./sending.ts";
import { setupOf } from "./setup.ts";
import { checkTranscript } from "./transcript.ts";

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
    execution.onFailed(
      hasErrno(error, "ENOSPC") ? "out_of_disk" : "agent_error",
      `The agent could not be started: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

const start = async (
  execution: Execution,
  agent: Agent,
  order: StartOrder,
): Promise<void> => {
  const { place, files, chronicle } = execution;
  const { cwd } = order;
  if (!(await isDirectory(cwd)))
    return execution.onFailed("workspace_missing", `${cwd} is no directory.`);
  const found = await agent.locate({
    path: order.env["PATH"] ?? DEFAULT_PATH,
    env: order.env,
    programs: place.programs,
    node: place.node,
  });
  if (found === null)
    return execution.onFailed("agent_not_installed", notInstalled(agent));
  const env = environment(execution, order, found);
  execution.env = env;
  const open = await howToOpen(agent, order, env);
  await makeFiles(files);
  if (execution.history.stopping) return conclude(execution);
  const { wrapper, gone } = await launch(files, { argv: found.argv, env, cwd });
  await chronicle.recordDurably({ kind: "launched", wrapper, open });
  const sender = senderFor(execution, openStdin(execution));
  execution.hold(execution.speech.begin(setupOf(execution, open)), sender);
  // Not before it is heard: one that is gone already has its last words in the file.
  concludeWhen(execution, gone);
  watchDeadline(execution, order.deadline_ms);
  // It may have been told to stop before there was anything to stop.
  if (execution.history.stopping) await killGroup(execution, "SIGKILL");
};

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

/** Exactly what the order says and what the agent needs: nothing of ours is inherited. */
const environment = (
  execution: Execution,
  order: StartOrder,
  found: Launch,
): Record<string, string> => ({
  ...order.env,
  ...found.env,
  PWD: order.cwd,
  REPRISE_EXECUTION: execution.id,
});

/** A native session is only asked for when the agent's own file still begins with what we saw last. */
const howToOpen = async (
  agent: Agent,
  { open, cwd }: StartOrder,
  env: Record<string, string>,
): Promise<Open> => {
  if (open.kind === "new") return open;
  const { token, turns } = open;
  if (agent.transcript === undefined)
    return { kind: "native", token, turns, transcript: "unrecorded" };
  const home = env["HOME"] ?? "";
  const path = await agent.transcript({ home, cwd, env }, token);
  const transcript = await checkTranscript(path, open.transcript);
  return { kind: "native", token, turns, transcript };
};

export const giveUpWhenFailed = (execution: Execution): void => {
  execution.onFailed = (failure, message) => {
    giveUp(execution, failure, message).catch((error: unknown) =>
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
