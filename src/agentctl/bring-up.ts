import { stat } from "node:fs/promises";
import type { Launch } from "../agents/agent.ts";
import type { StartOrder } from "../contract/link.ts";
import { converse } from "./conversation.ts";
import { acp } from "./drivers/acp/driver.ts";
import type { Open, Setup } from "./drivers/driver.ts";
import { conclude, concludeWhen, giveUp, killGroup } from "./end.ts";
import type { Execution } from "./execution.ts";
import { makeFiles } from "./hold/files.ts";
import { launch } from "./hold/launch.ts";
import { checkTranscript } from "./transcript.ts";

/** Brings an agent to the point where it takes prompts. How that goes is reported; nothing is thrown. */
export const bringUp = async (
  execution: Execution,
  order: StartOrder,
): Promise<void> => {
  execution.onFailed = (failure, message) =>
    void giveUp(execution, failure, message);
  try {
    await start(execution, order);
  } catch (error) {
    execution.log("the agent cannot be started", error);
    const full =
      error instanceof Error && "code" in error && error.code === "ENOSPC";
    await giveUp(
      execution,
      full ? "out_of_disk" : "agent_error",
      error instanceof Error ? error.message : String(error),
    );
  }
};

const start = async (execution: Execution, order: StartOrder) => {
  const { place, agent, files } = execution;
  if (!(await isDirectory(order.cwd)))
    return giveUp(
      execution,
      "workspace_missing",
      `${order.cwd} is not a directory`,
    );
  const found = await agent.locate({
    path: order.env["PATH"] ?? DEFAULT_PATH,
    env: order.env,
    programs: place.programs,
    node: place.node,
  });
  if (found === null)
    return giveUp(execution, "agent_not_installed", notInstalled(execution));
  execution.env = environment(execution, order, found);
  const open = await howToOpen(execution, order);
  await makeFiles(files);
  if (execution.history.stopping) return conclude(execution);
  const { wrapper, gone } = await launch(files, {
    argv: found.argv,
    env: execution.env,
    cwd: order.cwd,
  });
  await execution.recordDurably({
    kind: "launched",
    wrapper,
    incarnation: place.incarnation,
  });
  concludeWhen(execution, gone);
  execution.hold(converse(acp, setupOf(execution, open)));
  watchDeadline(execution, order.deadline_ms);
  // It was told to stop before there was anything to stop.
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

const notInstalled = ({ agent }: Execution): string =>
  agent.install === null
    ? `${agent.name} is not installed.`
    : `${agent.name} is not installed. Install it with: ${agent.install}`;

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

/** A native session is only asked for when the agent's own file is the one we saw last. */
const howToOpen = async (
  { agent, env }: Execution,
  { open, cwd }: StartOrder,
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

const setupOf = (execution: Execution, open: Open): Setup => {
  const { agent, ordered, place } = execution;
  return {
    incarnation: place.incarnation,
    epoch: ordered.epoch,
    cwd: ordered.cwd,
    definition: ordered.definition,
    open,
    agent: {
      native: agent.native,
      injection: agent.injection,
      isUnknownSession: (error) =>
        error.code === RESOURCE_NOT_FOUND ||
        agent.isUnknownSession?.(error) === true,
    },
  };
};

const RESOURCE_NOT_FOUND = -32002;

const watchDeadline = (execution: Execution, ms: number): void => {
  const timer = setTimeout(() => {
    if (execution.history.ready === null)
      execution.onFailed(
        "agent_not_answering",
        `It did not open a session within ${ms} ms.`,
      );
  }, ms);
  void execution.ended.promise.then(() => clearTimeout(timer));
};
