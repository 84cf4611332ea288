/** Streams while a large workspace is captured for the first time: its packs and the journal share a disk. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import {
  setImmediate as nextTick,
  setTimeout as delay,
} from "node:timers/promises";
import {
  seenUntil,
  type Server,
  type TestHouse,
} from "../../test/e2e/house.ts";
import { settle } from "../checkpoint/stand.ts";
import { build, w1 } from "../checkpoint/workspace/workspace.ts";
import { lengths, now, type Span } from "../clock.ts";
import { figure, limit, percent, quantile, type Row } from "../figure.ts";
import { openRawJournal } from "../journal/raw.ts";
import { Pulse, spared } from "../pulse/pulse.ts";
import { MAX_MS } from "./bars.ts";
import { Choir } from "./choir.ts";
import { openSpeaker, turnMs, voicesOf } from "./speakers.ts";

const MANNER = { every_ms: 50, chunks: 100 };
/** Of every session: for as long as a capture may take (two minutes), because on a slow disk it takes most of one. */
const TURNS = 24;
/** What a pack of such a workspace is long. */
const PACK_MB = 300;

export const besideCheckpointRows = async (
  house: TestHouse,
  server: Server,
  sessions: readonly string[],
): Promise<Row[]> => {
  const workspace = join(house.directory, w1.name);
  await build(workspace, w1);
  settle();
  const before = await commitsBesidePack(house.directory, "before");
  const { alone, ways, unhindered, seconds } = await speakBeside(
    server,
    sessions,
    workspace,
  );
  settle();
  const after = await commitsBesidePack(house.directory, "after");
  const commit = quantile([...before, ...after], 0.99);
  const what = `${sessions.length} busy sessions while ${w1.name} is captured (${seconds.toFixed(1)} s): written → read`;
  const there = `while the machine was there (${percent(unhindered.length, ways.length)} of the chunks)`;
  const unit = "ms";
  const lag = (share: number, of: Span[]) => [quantile(lengths(of), share)];
  // Nobody is quicker than the disk beneath.
  const most = (bar: number) => ({ most: Math.max(bar, commit) });
  return [
    limit(
      { what: `${what}, p50, ${there}`, unit, ours: lag(0.5, unhindered) },
      most(MAX_MS.p50),
    ),
    limit(
      { what: `${what}, p99, ${there}`, unit, ours: lag(0.99, unhindered) },
      most(MAX_MS.p99),
    ),
    figure(
      {
        what: `${what}, p99 of all; peer: commits in a plain loop beside a write of ${PACK_MB} MB, p99`,
        unit,
        ours: lag(0.99, ways),
        peer: [commit],
      },
      null,
    ),
    figure(
      {
        what: `${what}, p99 of all; peer: the same alone`,
        unit,
        ours: lag(0.99, ways),
        peer: lag(0.99, alone),
      },
      null,
    ),
  ];
};

/** All speak: for a while alone, and then until the checkpoint is told of. */
const speakBeside = async (
  server: Server,
  sessions: readonly string[],
  workspace: string,
): Promise<{
  alone: Span[];
  ways: Span[];
  /** Of those, the ones that the machine did not hold up. */
  unhindered: Span[];
  seconds: number;
}> => {
  await using pulse = new Pulse();
  const voices = await voicesOf(server, sessions, MANNER, TURNS);
  const choir = await Choir.start(voices, turnMs(MANNER));
  let allSpeak = true;
  void choir.whileAllSpeak().then(() => (allSpeak = false));
  const start = now();
  await delay(turnMs(MANNER));
  const begun = now();
  const id = await openSpeaker(server, workspace);
  const seconds = (await captureOf(server, id)) / 1000;
  const captured = now();
  if (!allSpeak) throw new Error("the capture took longer than they spoke");
  const alone = await choir.ways(start, begun);
  const ways = await choir.ways(begun, captured);
  const absences = await pulse.absences();
  return { alone, ways, unhindered: spared(ways, absences), seconds };
};

/** Milliseconds that the first checkpoint took. */
const captureOf = async (
  { client }: Server,
  session: string,
): Promise<number> => {
  const seen = await seenUntil(client, session, ({ type }) =>
    type.startsWith("session.checkpoint."),
  );
  const told = seen.at(-1);
  if (told?.type !== "session.checkpoint.saved")
    throw new Error(`the workspace was not captured: ${told?.type}`);
  return told.data.checkpoint.took_ms;
};

/** How long each commit takes, for as long as somebody else writes and flushes a large file. */
const commitsBesidePack = async (
  directory: string,
  name: string,
): Promise<number[]> => {
  const raw = openRawJournal(join(directory, `${name}.db`));
  const pack = join(directory, `${name}.pack`);
  const writer = spawn(
    "dd",
    [
      "if=/dev/urandom",
      `of=${pack}`,
      "bs=1M",
      `count=${PACK_MB}`,
      "conv=fsync",
    ],
    { stdio: "ignore" },
  );
  const closed = once(writer, "close");
  const times: number[] = [];
  while (writer.exitCode === null) {
    times.push(raw.commitTime());
    await nextTick();
  }
  await closed;
  raw.close();
  return times;
};
