/**
 * The time by which sessions are ended, thrown away and purged. A clock that is set ahead makes nothing older: since the
 * machine was started, no more time has passed than it has been up.
 */
import { uptime } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { readIfThere, writeDurably } from "../kit/durable-file.ts";
import { bootId } from "../kit/process-identity.ts";
import type { Clock, Log } from "../runtime/ports.ts";

/** What the two clocks of a machine say, in milliseconds. */
export interface Clocks {
  /** Different after every start of the machine. */
  boot_id: string;
  /** The one that people can set. */
  wall: () => number;
  /** The one that counts since the machine was started, also while it sleeps. */
  uptime: () => number;
}

/** What a server read when it first looked at them after the machine was started. */
const FirstReading = z.object({
  boot_id: z.string(),
  wall: z.number(),
  uptime: z.number(),
});
type FirstReading = z.infer<typeof FirstReading>;

/** The clock was set ahead when it shows so much more than it would otherwise: this is told. */
const TOLD_MS = 3_600_000;

export const openAgeClock = async (
  home: string,
  log: Pick<Log, "warn">,
  clocks?: Clocks,
): Promise<Clock> => {
  const { boot_id, wall, uptime } = clocks ?? (await clocksOfMachine());
  const path = join(home, "clock.json");
  let first = await readFirst(path);
  if (first?.boot_id !== boot_id) {
    first = { boot_id, wall: wall(), uptime: uptime() };
    // Where it cannot be written, the next server begins with its own.
    await writeDurably(path, JSON.stringify(first)).catch(() => undefined);
  }
  const began = first;
  let isTold = false;
  return {
    now() {
      const shown = wall();
      const passed = began.wall + uptime() - began.uptime;
      if (shown - passed > TOLD_MS && !isTold) {
        isTold = true;
        log.warn(
          { ahead_ms: Math.round(shown - passed) },
          "the clock was set ahead: until the machine is started again, the age of sessions is counted as if it had not been",
        );
      }
      return new Date(Math.min(shown, passed));
    },
  };
};

const clocksOfMachine = async (): Promise<Clocks> => ({
  boot_id: await bootId(),
  wall: Date.now,
  uptime: () => uptime() * 1000,
});

const readFirst = async (path: string): Promise<FirstReading | null> => {
  try {
    const text = await readIfThere(path);
    return FirstReading.parse(JSON.parse(text ?? ""));
  } catch {
    return null;
  }
};
