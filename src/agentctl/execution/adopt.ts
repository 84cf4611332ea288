import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isRunning } from "../../kit/processes/process-identity.ts";
import { giveUpWhenFailed, watchDeadline } from "./bring-up.ts";
import { concludeWhen, stop } from "./end.ts";
import type { Execution } from "./execution.ts";
import { quietPoint } from "./journal/history.ts";
import { untilEndOfFile } from "./hold/alive.ts";
import type { AgentStdin } from "./hold/stdin.ts";
import { openStdin, senderFor } from "./sending.ts";
import { setupOf } from "./setup.ts";

/**
 * Takes an execution over from an agentctl that is gone (we hold the lock: it is). An agent that lives goes on as if
 * nothing had happened; of one that died meanwhile the last words are heard and its end is concluded. Resolves when we
 * know all that our predecessor knew: orders may come then.
 */
export const adopt = async (execution: Execution): Promise<void> => {
  const { files } = execution;
  const { wrapper, ended } = execution.history;
  if (ended) return execution.ended.resolve();
  giveUpWhenFailed(execution);
  const lives = wrapper !== null && (await isRunning(wrapper));
  if (lives) execution.env = await environmentOf(wrapper.pid);
  const { daemon, id, ordered } = execution;
  if (lives)
    await daemon.proxies.reopen(id, ordered.definition.sandbox?.hosts, (text) =>
      execution.notice("host_refused", text),
    );
  if (existsSync(files.stdout)) takeUp(execution, lives);
  await execution.catchUp();
  const gone = lives ? untilEndOfFile(files.alive) : Promise.resolve();
  concludeWhen(execution, gone);
  if (!lives) return;
  const { stopping, failed, outputLost, ready } = execution.history;
  // Whoever decided that it has to end may have died before ending it.
  if (stopping || failed || outputLost)
    stop(execution, 0).catch((error: unknown) =>
      execution.log("cannot stop", error),
    );
  else if (ready === null) watchDeadline(execution, HANDSHAKE_MS);
};

const HANDSHAKE_MS = 60_000;

const takeUp = (execution: Execution, lives: boolean): void => {
  const { known } = quietPoint(execution.history);
  const setup = setupOf(execution, execution.history.open);
  const conversation = execution.speech.restore(setup, known);
  if (!lives) return execution.hold(conversation, null);
  const stdin = openStdin(execution);
  const sender = senderFor(execution, stdin, () =>
    finishMessage(execution, stdin),
  );
  sender.queue(conversation.ping());
  execution.hold(conversation, sender);
};

/** The newline rule, read backwards: what was committed is taken, so it gets its newline; what was not is spoilt. */
const finishMessage = async (
  { history, timeline }: Execution,
  stdin: AgentStdin,
): Promise<void> => {
  const { message } = history;
  if (message === null || message.step === "written") return;
  if (message.step === "sent") return stdin.spoil();
  await stdin.newline();
  timeline.record({ kind: "written", number: message.number });
};

/** The agent's environment was never written down; the wrapper still has it. */
const environmentOf = async (pid: number): Promise<Record<string, string>> => {
  try {
    const entries = (await readFile(`/proc/${pid}/environ`, "utf8"))
      .split("\0")
      .filter((entry) => entry.includes("="));
    return Object.fromEntries(
      entries.map((entry) => {
        const at = entry.indexOf("=");
        return [entry.slice(0, at), entry.slice(at + 1)];
      }),
    );
  } catch {
    return {};
  }
};
