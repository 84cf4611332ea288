/** Ten thousand sessions at rest: what they cost a server that starts, and one that runs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect, ServerUnreachable } from "../../src/client/client.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { root, TestHouse } from "../../test/e2e/house.ts";
import { BusySession, engineOn } from "../busy-session.ts";
import { figure, limit, median, type Row } from "../figure.ts";
import { residentMb } from "../memory.ts";

const SESSIONS = 10_000;
const AT_ONCE = 100;
const ROUNDS = 7;
const LOOK_MS = 2;
/** As `store/sqlite/look-later.ts` names it. */
const LOOK_THREAD = "look-through";

export const restingRows = async (): Promise<Row[]> => {
  await using empty = await TestHouse.make();
  await using full = await TestHouse.make();
  await fill(empty, 0);
  await fill(full, SESSIONS);
  const times: Record<"empty" | "full", Started[]> = { empty: [], full: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.empty.push(await start(empty));
    times.full.push(await start(full));
  }
  const memory = (started: Started[]) =>
    median(started.map(({ residentMb: mb }) => mb));
  const answered = (started: Started[]) =>
    started.map(({ answeredMs }) => answeredMs);
  const held = ((memory(times.full) - memory(times.empty)) * 1024) / SESSIONS;
  return [
    figure(
      {
        what: `start with ${SESSIONS.toLocaleString("en")} sessions at rest, until a request is answered; peer: with none`,
        unit: "ms",
        ours: answered(times.full),
        peer: answered(times.empty),
      },
      { most: 1.5 },
    ),
    limit(
      {
        what: "memory per session at rest, by the difference to a server with none",
        unit: "KB",
        ours: [held],
      },
      { most: 1 },
    ),
  ];
};

interface Started {
  answeredMs: number;
  residentMb: number;
}

/** Starts a server and asks until it answers; then waits for it to have looked after everything, and weighs it at rest. */
const start = async (house: TestHouse): Promise<Started> => {
  const port = await freePort();
  const begun = performance.now();
  const server = spawn(join(root, "bin/reprise"), ["up", "--port", `${port}`], {
    env: house.env(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const settled = once(server.stdout, "data");
  await answer(`http://127.0.0.1:${port}`, house.home);
  const answeredMs = performance.now() - begun;
  await settled;
  await lookedThrough(server.pid ?? 0);
  const weight = residentMb(server.pid ?? 0);
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
  return { answeredMs, residentMb: weight };
};

/** A large database is looked through by a thread that ends with that: what it holds meanwhile is not held per session. */
const lookedThrough = async (pid: number): Promise<void> => {
  while (threadNames(pid).includes(LOOK_THREAD)) await pause(LOOK_MS);
};

/** None where the system does not tell. */
const threadNames = (pid: number): string[] => {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return [];
  return readdirSync(tasks).map((task) => {
    try {
      return readFileSync(join(tasks, task, "comm"), "utf8").trim();
    } catch {
      return "";
    }
  });
};

const answer = async (url: string, home: string): Promise<void> => {
  for (;;) {
    try {
      const token = (await readFile(join(home, "token"), "utf8")).trim();
      await connect({ url, token }).listSessions({ limit: 20 });
      return;
    } catch (error) {
      if (!(error instanceof ServerUnreachable)) throw error;
      await pause(LOOK_MS);
    }
  }
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string")
    throw new Error("no port");
  return address.port;
};

/** Sessions with a turn behind them and no agent, made as the product makes them. */
const fill = async (house: TestHouse, sessions: number): Promise<void> => {
  // A first start makes the token, so that no start that is timed has to.
  await (await house.up()).stop();
  const store = await openSqliteStore({ path: join(house.home, "reprise.db") });
  const engine = engineOn(store, await store.claim());
  for (let n = 0; n < sessions; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, i) => {
        const session = await BusySession.begin(engine, n + i);
        await session.words(20)();
        await session.rest();
      }),
    );
  await store.close();
};
