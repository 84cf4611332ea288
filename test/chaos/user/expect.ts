/** Refusals a user may meet because others were faster, or because the agent died. Any other is a mistake of the server. */
import type { Outcome } from "./insist.ts";
import type { Play } from "../play.ts";
import type { Stage } from "../stage.ts";

const usual = new Set([
  "wrong_state",
  "session_ended",
  "queue_full",
  "resume_failed",
  // A checkpoint that failed is not there to go back to, and says so.
  "checkpoint_not_found",
  // What could not be captured is not rewound.
  "checkpoint_failed",
]);

export const expect = (
  { tally, violations }: Stage,
  play: Play,
  outcome: Outcome<unknown>,
): void => {
  if (outcome.kind !== "refused") return;
  const { code, message } = outcome;
  tally.refusals.set(code, (tally.refusals.get(code) ?? 0) + 1);
  const isUsual =
    usual.has(code) || (code === "superseded" && tally.rivals.intruded > 0);
  if (!isUsual)
    violations.add(
      "API-10",
      play.name,
      `a request was refused: ${code} ${message}`,
    );
};
