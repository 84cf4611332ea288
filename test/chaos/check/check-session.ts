import { checkCheckpoints, checkRests } from "./checkpoints.ts";
import type { Check, Evidence } from "./evidence.ts";
import { checkGrades } from "./grades.ts";
import { checkLosses } from "./losses.ts";
import { checkOutput } from "./output.ts";
import { checkPermissions } from "./permissions.ts";
import { checkPrompts } from "./prompts.ts";
import { checkRules, checkSequences } from "./sequences.ts";
import { checkTerms, checkWorkspace } from "./writers.ts";

const checks: readonly Check[] = [
  checkSequences,
  checkRules,
  checkPrompts,
  checkOutput,
  checkTerms,
  checkWorkspace,
  checkPermissions,
  checkGrades,
  checkCheckpoints,
  checkRests,
  checkLosses,
];

export const checkSession = async (evidence: Evidence): Promise<void> => {
  for (const check of checks) await check(evidence);
};
