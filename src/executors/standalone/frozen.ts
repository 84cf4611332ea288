import { join } from "node:path";
import {
  AGENTCTL_FILE,
  AGENTCTL_LOCK,
  AgentctlFile,
} from "../../contract/link/link.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { within } from "../../kit/time/deadline.ts";
import { lockHolder } from "../../kit/processes/lock-holder.ts";
import { ownJsonOrNull } from "../../kit/files/own-json.ts";
import { endProcess, isRunning } from "../../kit/processes/process-identity.ts";

const END_MS = 10_000;

/** What the agentctl of a home wrote about itself; null when nothing is there that can be believed. */
export const agentctlOf = (directory: string): Promise<AgentctlFile | null> =>
  ownJsonOrNull(join(directory, AGENTCTL_FILE), (document) =>
    AgentctlFile.parse(document),
  );

/**
 * Ends an agentctl that gives no sign of life and sees it gone. It is the process that holds the lock, or, where the
 * operating system does not tell who that is, the one that wrote `agentctl.json` under the lock and still runs; or none:
 * null then, and nothing is ended. Its successor waits for the lock besides, which the operating system frees with the
 * last thread of the process, before it touches anything. Agents go on.
 */
export const endFrozen = async (
  directory: string,
): Promise<{ pid: number; build: string | null } | null> => {
  const known = await agentctlOf(directory);
  const holder =
    (await lockHolder(join(directory, AGENTCTL_LOCK))) ??
    (known !== null && (await isRunning(known)) ? known : null);
  if (holder === null) return null;
  const { pid } = holder;
  try {
    await within("its end", END_MS, endProcess(holder));
    return { pid, build: known?.pid === pid ? known.build : null };
  } catch (cause) {
    throw new RepriseError(
      "agentctl_unavailable",
      `agentctl (process ${pid}) gives no sign of life and cannot be ended: ${String(cause)}. End it, then try again`,
      { cause },
    );
  }
};
