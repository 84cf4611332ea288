import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import type { Client } from "../../src/client/client.ts";
import type { Event } from "../../src/contract/event/event.ts";
import {
  endMarked,
  markedProcesses,
} from "../../src/kit/processes/marked-processes.ts";
import { type Server, TestHouse } from "../e2e/house.ts";
import type { SmallDisk } from "./small-disk.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

/**
 * A house with everything on the small disk, but for the Node that agentctl runs on: the installer uses the one that a
 * home has already, and a link to ours lets the disk stay small.
 */
export const houseOn = async (disk: SmallDisk): Promise<TestHouse> => {
  const house = await TestHouse.make({}, "home", disk.path);
  const agentctl = join(house.home, "agentctl");
  await mkdir(agentctl, { mode: 0o700 });
  await symlink(process.execPath, join(agentctl, `node-${process.version}`));
  await disk.sync();
  return house;
};

export const until = async (
  holds: () => boolean | Promise<boolean>,
): Promise<void> => {
  while (!(await holds())) await delay(20);
};

export const isAlive = async (execution: string | null): Promise<boolean> =>
  (await markedProcesses(`REPRISE_EXECUTION=${execution}`)).length > 0;

/** Everything is down, as after a power failure. */
export const everythingDown = async (
  house: TestHouse,
  server: Server,
  ...executions: (string | null)[]
): Promise<void> => {
  await server.kill();
  await endDaemon(house.home);
  for (const execution of executions)
    await endMarked(`REPRISE_EXECUTION=${execution}`, patience(5000));
};

export const allEvents = async (
  client: Client,
  session: string,
): Promise<readonly Event[]> => {
  const { last_seq } = await client.showSession(session);
  const events: Event[] = [];
  for await (const event of client.follow(session, {
    signal: AbortSignal.timeout(patience(20_000)),
  })) {
    events.push(event);
    if (event.seq === last_seq) break;
  }
  return events;
};

export const noticesOf = (events: readonly Event[]): string[] =>
  events.flatMap((event) =>
    event.type === "session.notice" ? [event.data.code] : [],
  );
