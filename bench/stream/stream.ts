/**
 * From an agent's write to a client's read, through the real server and its daemon: agent → file → agentctl → link →
 * engine → SQLite (flushed) → server-sent events. The agents, the server, the daemon and the clients share the machine.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Server, TestHouse } from "../../test/e2e/house.ts";
import { figure, limit, quantile, type Bench, type Row } from "../figure.ts";
import { residentMb } from "../memory.ts";
import { besideCheckpointRows } from "./beside-checkpoint.ts";
import { catchUpRow } from "./catch-up.ts";
import { lagsOfChoir } from "./choir.ts";
import { pipedSpeakers } from "./pipes.ts";
import {
  lagsOf,
  speakers,
  speakingHouse,
  turnMs,
  voicesOf,
} from "./speakers.ts";

const ROUNDS = 3;
const BUSY = 50;
const ACTIVE = 100;
const SUBSCRIBERS = 1000;
/** 20 chunks a second, which is what a model says. */
const MANNER = { every_ms: 50, chunks: 100 };
/** Of every session, one after the other. */
const TURNS = 3;
const SLOWLY = { every_ms: 200, chunks: 25 };

export const stream: Bench = {
  name: "stream",
  async measure() {
    await using house = await speakingHouse();
    // In a clone whose sources have changed the first server compiles them; those after it find that done.
    await (await house.up()).stop();
    const server = await house.up();
    const sessions = await speakers(server, house, BUSY);
    return [
      ...(await busyRows(server, sessions)),
      // Before a large workspace is captured, whose threads are there for half a minute longer.
      ...(await memoryRows(house, server, sessions)),
      ...(await besideCheckpointRows(house, server, sessions)),
      ...(await crowdRows(server, sessions.slice(0, 1))),
      await catchUpRow(),
    ];
  },
};

const busyRows = async (
  server: Server,
  sessions: readonly string[],
): Promise<Row[]> => {
  using pipes = pipedSpeakers(sessions.length);
  const withoutEnd = { ...MANNER, chunks: TURNS * MANNER.chunks };
  const over = turnMs(MANNER);
  const ours: number[][] = [];
  const floor: number[][] = [];
  const atOnce: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    floor.push(await lagsOfChoir(pipes.voices(withoutEnd), over));
    const voices = await voicesOf(server, sessions, MANNER, TURNS);
    ours.push(await lagsOfChoir(voices, over));
    atOnce.push(await lagsOf(server, sessions, MANNER));
  }
  const at = (share: number, rounds: number[][]) =>
    rounds.map((lags) => quantile(lags, share));
  const what = `${sessions.length} busy sessions at ${1000 / MANNER.every_ms} chunks/s: written → read`;
  const unit = "ms";
  return [
    limit({ what: `${what}, p50`, unit, ours: at(0.5, ours) }, { most: 5 }),
    limit({ what: `${what}, p99`, unit, ours: at(0.99, ours) }, { most: 25 }),
    figure(
      {
        what: `${what}, p99; peer: the same agents over pipes`,
        unit,
        ours: at(0.99, ours),
        peer: at(0.99, floor),
      },
      null,
    ),
    figure(
      {
        what: `${what}, p99, where all begin and end at once; peer: where they do not`,
        unit,
        ours: at(0.99, atOnce),
        peer: at(0.99, ours),
      },
      null,
    ),
  ];
};

const crowdRows = async (
  server: Server,
  session: readonly string[],
): Promise<Row[]> => {
  const lags = await lagsOf(server, session, SLOWLY, SUBSCRIBERS);
  const what = `${SUBSCRIBERS.toLocaleString("en")} subscribers of one session at ${1000 / SLOWLY.every_ms} chunks/s`;
  const row = (share: number) => quantile(lags, share);
  return [
    figure(
      {
        what: `${what}: p99; peer: p50`,
        unit: "ms",
        ours: [row(0.99)],
        peer: [row(0.5)],
      },
      null,
    ),
  ];
};

const memoryRows = async (
  house: TestHouse,
  server: Server,
  sessions: readonly string[],
): Promise<Row[]> => {
  const more = await speakers(server, house, ACTIVE - sessions.length);
  const speaking = lagsOf(server, [...sessions, ...more], SLOWLY);
  const weights = { server: 0, agentctl: 0 };
  const daemon = await daemonPid(house.home);
  const weigh = setInterval(() => {
    weights.server = Math.max(
      weights.server,
      residentMb(server.process.pid ?? 0),
    );
    weights.agentctl = Math.max(weights.agentctl, residentMb(daemon));
  }, 1000);
  await speaking;
  clearInterval(weigh);
  const unit = "MB";
  return [
    limit(
      {
        what: `server with ${ACTIVE} active sessions`,
        unit,
        ours: [weights.server],
      },
      { most: 120 },
    ),
    limit(
      {
        what: `agentctl with ${ACTIVE} agents`,
        unit,
        ours: [weights.agentctl],
      },
      { most: 100 },
    ),
  ];
};

const daemonPid = async (home: string): Promise<number> => {
  const text = await readFile(join(home, "agentctl", "agentctl.json"), "utf8");
  return z.object({ pid: z.number() }).parse(JSON.parse(text)).pid;
};
