/** What came of one test file. */
import type { Outcome } from "./outcome.ts";
import type { UnitResult } from "./run-unit.ts";

export interface FileResult {
  file: string;
  outcomes: Outcome[];
  /** What its process printed. */
  output: string;
  ms: number;
  /** What the processors did for it; of files that share a process, for all of them, told with the first. */
  coreMs?: number;
  /** How many others ran in its process, told with the first. */
  others?: number;
}

/** A process that ran several files tells of each. What nobody can be blamed for is told with the first. */
export const fileResults = (
  result: UnitResult,
  filtered: boolean,
): FileResult[] => {
  const { files, outcomes, output, ms } = result;
  const [first = "", ...more] = files;
  const counted = result.coreMs === undefined ? {} : { coreMs: result.coreMs };
  if (more.length === 0)
    return [{ file: first, outcomes, output, ms, ...counted }];
  return files.map((file) => {
    const own = outcomes.filter((outcome) => outcome.file === file);
    if (own.length === 0 && !filtered) own.push(noTest(file));
    if (file === first)
      own.push(...outcomes.filter((each) => each.file === undefined));
    const spent = own.reduce((sum, each) => sum + each.ms, 0);
    const core = file === first ? { ...counted, others: more.length } : {};
    return { file, outcomes: own, output, ms: spent, ...core };
  });
};

const noTest = (file: string): Outcome => ({
  type: "failed",
  file,
  name: "(the file)",
  ms: 0,
  error: "it holds no test",
});
