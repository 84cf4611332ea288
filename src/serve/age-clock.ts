/**
 * The time by which sessions are ended, thrown away and purged. A clock that is set ahead makes nothing older: since the
 * machine was started, no more time has passed than it has been up. What was stamped while it was behind is not old when it
 * is right again.
 */
import { uptime } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { writeDurably } from "../kit/files/durable-file.ts";
import { bootId } from "../kit/processes/process-identity.ts";
import { readPlain } from "../kit/files/read-plain.ts";
import type { Ages, Log } from "../runtime/ports/home.ts";
import { cachedUptime } from "./cached-uptime.ts";

/** What the two clocks of a machine say, in milliseconds. */
export interface Clocks {
  /** Different after every start of the machine. */
  boot_id: string;
  /** The one that people can set. */
  wall: () => number;
  /** The one that counts since the machine was started, also while it sleeps. */
  uptime: () => number;
}

/** Later times cannot be told, or not in the form that stamps have. */
const Ms = z.number().min(0).max(Date.parse("9999-12-31T00:00:00Z"));

const Reading = z.object({
  /** What a server read when it first looked at the clocks after the machine was started. */
  boot_id: z.string().max(200),
  wall: Ms,
  uptime: Ms,
  /** Since then both clocks went alike; not said by older releases. */
  steady: z.object({ wall: Ms, uptime: Ms }).optional(),
  /** The latest time that is known to have been reached; not said by older releases. */
  latest: Ms.optional(),
  /** What the clock showed while it was wrong: whatever bears such a time may be as young as `since`. */
  doubted: z.object({ from: Ms, to: Ms, since: Ms }).optional(),
});
type Reading = z.infer<typeof Reading>;

/** A clock that differs by more is wrong, or was: this is told, and ages are counted without it. */
const WRONG_MS = 3_600_000;

export interface AgeClock extends Ages {
  /** What the clock shows, for whatever is stamped with it. */
  stamp(): Date;
  /** Resolves when what is known is written down. */
  drain(): Promise<void>;
}

export const openAgeClock = async (
  home: string,
  log: Pick<Log, "warn">,
  clocks?: Clocks,
): Promise<AgeClock> => {
  const { boot_id, wall, uptime } = clocks ?? (await clocksOfMachine());
  const path = join(home, "clock.json");
  const read = await readIn(path, log);
  const first = { wall: wall(), uptime: uptime() };
  const known =
    read?.boot_id === boot_id
      ? structuredClone(read)
      : begun(read ?? {}, { boot_id, ...first });
  const opened = { ...first, latest: known.latest ?? known.wall };
  let steady = (known.steady ??= first);
  let writing: Promise<void> = Promise.resolve();
  let written = read;
  const keep = (): void => {
    if (written !== null && !isWorthWriting(written, known)) return;
    const copy = structuredClone(known);
    written = copy;
    // Where it cannot be written, the next server begins with what there is.
    writing = writing
      .then(() => writeDurably(path, JSON.stringify(copy)))
      .catch(() => undefined);
  };
  let isTold = false;
  /** Compares what the clock shows with what it would show if nobody had set it. */
  const look = (): { shown: number; age: number } => {
    const shown = wall();
    const up = uptime();
    const passed = known.wall + up - known.uptime;
    const reached = Math.max(passed, opened.latest + up - opened.uptime);
    const ran = up - steady.uptime;
    if (Math.abs(shown - steady.wall - ran) > WRONG_MS)
      steady = known.steady = { wall: shown, uptime: up };
    const ahead_ms = Math.round(shown - passed);
    if (ahead_ms > WRONG_MS) {
      // It may have been behind until then.
      doubt(known, known.wall, passed, shown);
      if (!isTold)
        log.warn(
          { ahead_ms },
          "the clock was set ahead: until the machine is started again, the age of sessions is counted as if it had not been",
        );
      isTold = true;
    }
    if (reached - shown > WRONG_MS) doubt(known, shown, shown, reached);
    const age = Math.min(shown, passed);
    // A clock that is wrong for a moment after the machine was started says nothing that lasts.
    if (up - steady.uptime > WRONG_MS)
      known.latest = Math.max(known.latest ?? age, age);
    keep();
    return { shown, age };
  };
  look();
  await writing;
  return {
    now: () => new Date(look().age),
    stamp: () => new Date(look().shown),
    since: (stamp) => {
      const at = Date.parse(stamp);
      const { shown } = look();
      const { from, to, since } = known.doubted ?? NO_DOUBT;
      const isDoubted = at >= from && at <= to && at <= since;
      if (at <= shown && !isDoubted) return stamp;
      // Whatever was not stamped since the clock is steady was stamped before: that much is sure, whoever was wrong.
      const sure = at > shown ? steady.wall : Math.max(at, steady.wall);
      const youngest = isDoubted ? Math.min(since, sure) : sure;
      return new Date(youngest).toISOString();
    },
    drain: () => writing,
  };
};

/** A clock that shows an earlier time was never set. */
const SOFTWARE_WAS_MADE = Date.parse("2026-01-01T00:00:00Z");

/** The machine was started since. Where its clock is not behind, nothing is younger than now. */
const begun = (
  { latest, doubted }: Partial<Reading>,
  now: Reading,
): Reading => {
  const { wall } = now;
  const isBehind = wall < (latest ?? wall) || wall < SOFTWARE_WAS_MADE;
  return {
    ...now,
    ...(latest !== undefined && { latest }),
    ...(doubted !== undefined && {
      doubted: {
        ...doubted,
        since: isBehind ? doubted.since : Math.min(doubted.since, wall),
      },
    }),
  };
};

const NO_DOUBT = { from: Infinity, to: -Infinity, since: 0 };

const doubt = (
  known: Reading,
  from: number,
  to: number,
  since: number,
): void => {
  const before = known.doubted ?? NO_DOUBT;
  known.doubted = {
    from: Math.min(from, before.from),
    to: Math.max(to, before.to),
    since: Math.max(since, before.since),
  };
};

/** Minutes do not matter to what is counted in days. */
const isWorthWriting = (before: Reading, now: Reading): boolean =>
  before.boot_id !== now.boot_id ||
  isFar(before.steady?.wall, now.steady?.wall) ||
  isFar(before.latest, now.latest) ||
  isFar(before.doubted?.from, now.doubted?.from) ||
  isFar(before.doubted?.to, now.doubted?.to) ||
  isFar(before.doubted?.since, now.doubted?.since);

const isFar = (before = 0, now = 0): boolean =>
  Math.abs(now - before) > WRONG_MS;

const clocksOfMachine = async (): Promise<Clocks> => ({
  boot_id: await bootId(),
  wall: Date.now,
  uptime: cachedUptime(() => uptime() * 1000, {
    wall: Date.now,
    monotonic: () => performance.now(),
  }),
});

/** What cannot be read counts as none: the clocks are looked at as if for the first time. */
const readIn = async (
  path: string,
  log: Pick<Log, "warn">,
): Promise<Reading | null> => {
  try {
    const text = await readPlain(path, MAX_BYTES);
    return text === null ? null : Reading.parse(JSON.parse(text));
  } catch {
    log.warn({ path }, "what was known of the clock cannot be read");
    return null;
  }
};

const MAX_BYTES = 4096;
