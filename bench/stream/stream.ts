/**
 * From an agent's write to a client's read, through the real server and its daemon: agent → file → agentctl → link →
 * engine → SQLite (flushed) → server-sent events. The agents, the server, the daemon and the clients share the machine.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Server, TestHouse } from "../../test/e2e/house.ts";
import { lengths, type Span } from "../clock.ts";
import {
  figure,
  limit,
  percent,
  quantile,
  type Bench,
  type Row,
} from "../figure.ts";
import { residentMb } from "../memory.ts";
import { Pulse, spared } from "../pulse/pulse.ts";
import { MAX_MS } from "./bars.ts";
import { besideCheckpointRows } from "./beside-checkpoint.ts";
import { catchUpRow } from "./catch-up.ts";
import { waysOfChoir } from "./choir.ts";
import { openWindowRow } from "./open-window.ts";
import { pipedSpeakers } from "./pipes.ts";
import {
  speakers,
  speakingHouse,
  turnMs,
  voicesOf,
  waysOf,
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
      await openWindowRow(),
    ];
  },
};

const busyRows = async (
  server: Server,
  sessions: readonly string[],
): Promise<Row[]> => {
  using pipes = pipedSpeakers(sessions.length);
  await using pulse = new Pulse();
  const withoutEnd = { ...MANNER, chunks: TURNS * MANNER.chunks };
  const over = turnMs(MANNER);
  const ours: Span[][] = [];
  const floor: Span[][] = [];
  const atOnce: Span[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    floor.push(await waysOfChoir(pipes.voices(withoutEnd), over));
    const voices = await voicesOf(server, sessions, MANNER, TURNS);
    ours.push(await waysOfChoir(voices, over));
    atOnce.push(await waysOf(server, sessions, MANNER));
  }
  const absences = await pulse.absences();
  const unhindered = ours.map((ways) => spared(ways, absences));
  const at = (share: number, rounds: Span[][]) =>
    rounds.map((ways) => quantile(lengths(ways), share));
  const what = `${sessions.length} busy sessions at ${1000 / MANNER.every_ms} chunks/s: written → read`;
  const there = `while the machine was there (${percent(unhindered.flat().length, ours.flat().length)} of the chunks)`;
  const unit = "ms";
  return [
    limit(
      { what: `${what}, p50, ${there}`, unit, ours: at(0.5, unhindered) },
      { most: MAX_MS.p50 },
    ),
    limit(
      { what: `${what}, p99, ${there}`, unit, ours: at(0.99, unhindered) },
      { most: MAX_MS.p99 },
    ),
    figure(
      {
        what: `${what}, p99 of all; peer: the same agents over pipes`,
        unit,
        ours: at(0.99, ours),
        peer: at(0.99, floor),
      },
      null,
    ),
    figure(
      {
        what: `${what}, p99 of all, where all begin and end at once; peer: where they do not`,
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
  const lags = lengths(await waysOf(server, session, SLOWLY, SUBSCRIBERS));
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
  const speaking = waysOf(server, [...sessions, ...more], SLOWLY);
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
