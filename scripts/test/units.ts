/** What runs in one process: one test file, the light ones of a room, or several that are better off together. */
import { relative, sep } from "node:path";
import { Companies } from "./company.ts";
import type { Times } from "./times.ts";

export interface Unit {
  files: string[];
  /** What it is expected to take. */
  seconds: number;
}

/** A file that takes longer would keep the others of its process waiting. */
const LIGHT_SECONDS = 2;

/** The start of a process, in which several share what it costs. */
const START_SECONDS = 0.5;

export const unitsOf = async (
  root: string,
  files: readonly string[],
  times: Times,
): Promise<Unit[]> => {
  const companies = new Companies();
  const together: Unit[] = [];
  const shared = new Map<string, Unit>();
  const units: Unit[] = [];
  for (const file of files) {
    const seconds = times.of(relative(root, file));
    const company = await companies.of(file);
    if (company === "together") {
      together.push({ files: [file], seconds });
      continue;
    }
    if (seconds > LIGHT_SECONDS || company === "alone") {
      units.push({ files: [file], seconds });
      continue;
    }
    const room = roomOf(relative(root, file));
    const unit = shared.get(room) ?? { files: [], seconds: START_SECONDS };
    shared.set(room, {
      files: [...unit.files, file],
      seconds: unit.seconds + seconds / 4,
    });
  }
  return [...units, ...joined(together), ...withoutSmall([...shared.values()])];
};

/** More of them in one process would keep it going when all others have ended. */
const TOGETHER_SECONDS = 60;

/** In as few processes as the longest of them allow. */
const joined = (single: readonly Unit[]): Unit[] => {
  const units: Unit[] = [];
  for (const { files, seconds } of single.toSorted(
    (a, b) => b.seconds - a.seconds,
  )) {
    const fits = units.find(
      (unit) => unit.seconds + seconds <= TOGETHER_SECONDS,
    );
    if (fits === undefined) units.push({ files: [...files], seconds });
    else {
      fits.files.push(...files);
      fits.seconds += seconds;
    }
  }
  return units;
};

/** Rooms with a few light files share a process. */
const withoutSmall = (units: readonly Unit[]): Unit[] => {
  const small = units.filter(({ files }) => files.length < SMALL);
  const large = units.filter(({ files }) => files.length >= SMALL);
  if (small.length === 0) return large;
  const seconds = small.reduce((sum, unit) => sum + unit.seconds, 0);
  return [...large, { files: small.flatMap(({ files }) => files), seconds }];
};

const SMALL = 4;

/** `src/session/decide/rewind.test.ts` → `src/session`: tests of one room load much the same. */
const roomOf = (path: string): string => path.split(sep).slice(0, 2).join(sep);
