import { join } from "node:path";
import { LINK_PROTOCOL } from "../contract/link.ts";
import { writeDurably } from "../kit/durable-file.ts";
import { identify } from "../kit/process-identity.ts";
import { Executions } from "./executions.ts";
import { listen } from "./link/listen.ts";
import { ordersOf } from "./link/orders.ts";
import { takeLock } from "./lock.ts";
import { logTo } from "./log.ts";
import { directoryOf, preparePlace } from "./place.ts";
import { Term } from "./term.ts";

export interface AgentctlOptions {
  home: string;
  socketPath: string;
  token: string;
  build: string;
  /** How long an agent may leave a message unread before that is reported. */
  stallMs?: number;
}

export interface Running {
  /** Finishes the message at hand and lets go; agents go on. */
  close(): Promise<void>;
}

/** Another agentctl lives in this home. */
export class AlreadyRunning extends Error {}

/** The daemon beside the agents: one per home. It takes the lock first; everything else happens under it. */
export const runAgentctl = async ({
  home,
  socketPath,
  token,
  build,
  stallMs = 10_000,
}: AgentctlOptions): Promise<Running> => {
  const directory = directoryOf(home);
  const lock = takeLock(directory);
  if (lock === null)
    throw new AlreadyRunning(`another agentctl is running in ${home}`);
  const log = logTo(join(directory, "agentctl.log"));
  const place = await preparePlace(home, log, stallMs);
  const executions = new Executions(place);
  await executions.adoptAll();
  const listening = await listen(socketPath, token, {
    build,
    terms: await Term.open(directory),
    orders: ordersOf(place, executions),
    log,
  });
  await writeDurably(
    join(directory, "agentctl.json"),
    `${JSON.stringify({
      ...(await identify(process.pid)),
      socket: socketPath,
      build,
      protocol: LINK_PROTOCOL,
    })}\n`,
  );
  log("listening", { socket: socketPath, build });
  return {
    close: async () => {
      await listening.close();
      await executions.leave();
      lock.release();
      log("closed");
    },
  };
};
