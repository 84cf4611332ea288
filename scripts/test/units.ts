/** What runs in one process: one test file, or the light ones of a room together. */
import { relative, sep } from "node:path";
import { Alone } from "./alone.ts";
import type { Time, Times } from "./times.ts";

export interface Unit {
  files: string[];
  /** What it is expected to take. */
  time: Time;
}

/** A file that takes longer would keep the others of its process waiting. */
const LIGHT_SECONDS = 2;

/** The start of a process, in which several share what it costs. */
const START: Time = { seconds: 0.5, cpu: 0.5 };

export const unitsOf = async (
  root: string,
  files: readonly string[],
  times: Times,
): Promise<Unit[]> => {
  const alone = new Alone();
  const shared = new Map<string, Unit>();
  const units: Unit[] = [];
  for (const file of files) {
    const time = times.of(relative(root, file));
    if (time.seconds > LIGHT_SECONDS || (await alone.mustBe(file))) {
      units.push({ files: [file], time });
      continue;
    }
    const room = roomOf(relative(root, file));
    const unit = shared.get(room) ?? { files: [], time: START };
    shared.set(room, {
      files: [...unit.files, file],
      time: {
        seconds: unit.time.seconds + time.seconds / 4,
        cpu: unit.time.cpu + time.cpu / 4,
      },
    });
  }
  return [...units, ...withoutSmall([...shared.values()])];
};

/** Rooms with a few light files share a process. */
const withoutSmall = (units: readonly Unit[]): Unit[] => {
  const small = units.filter(({ files }) => files.length < SMALL);
  const large = units.filter(({ files }) => files.length >= SMALL);
  if (small.length === 0) return large;
  const sum = (of: (time: Time) => number): number =>
    small.reduce((all, { time }) => all + of(time), 0);
  const time = { seconds: sum((it) => it.seconds), cpu: sum((it) => it.cpu) };
  return [...large, { files: small.flatMap(({ files }) => files), time }];
};

const SMALL = 4;

/** `src/session/decide/rewind.test.ts` → `src/session`: tests of one room load much the same. */
const roomOf = (path: string): string => path.split(sep).slice(0, 2).join(sep);
