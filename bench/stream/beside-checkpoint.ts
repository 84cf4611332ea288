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
import { figure, quantile, type Row } from "../figure.ts";
import { openRawJournal } from "../journal/raw.ts";
import { Choir } from "./choir.ts";
import { now } from "./lag.ts";
import { openSpeaker, turnMs, voicesOf } from "./speakers.ts";

const MANNER = { every_ms: 50, chunks: 100 };
/** Of every session: for longer than the capture takes. */
const TURNS = 6;
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
  const { alone, lags, seconds } = await speakBeside(
    server,
    sessions,
    workspace,
  );
  settle();
  const after = await commitsBesidePack(house.directory, "after");
  const commits = [...before, ...after];
  const what = `${sessions.length} busy sessions while ${w1.name} is captured (${seconds.toFixed(1)} s): written → read`;
  const beside = `commits in a plain loop beside a write of ${PACK_MB} MB, p99`;
  const row = (share: number, name: string): Row =>
    figure(
      {
        what: `${what}, ${name}; peer: ${beside}`,
        unit: "ms",
        ours: [quantile(lags, share)],
        peer: [quantile(commits, 0.99)],
      },
      { most: 1 },
    );
  const toAlone: Row = figure(
    {
      what: `${what}, p99; peer: the same alone`,
      unit: "ms",
      ours: [quantile(lags, 0.99)],
      peer: [quantile(alone, 0.99)],
    },
    null,
  );
  return [row(0.5, "p50"), row(0.99, "p99"), toAlone];
};

/** All speak: for a while alone, and then until the checkpoint is told of. */
const speakBeside = async (
  server: Server,
  sessions: readonly string[],
  workspace: string,
): Promise<{ alone: number[]; lags: number[]; seconds: number }> => {
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
  return {
    alone: await choir.lags(start, begun),
    lags: await choir.lags(begun, captured),
    seconds,
  };
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
