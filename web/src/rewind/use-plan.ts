import { useEffect, useState } from "react";
import type { RewindPlan } from "../../../src/contract/session/checkpoint.ts";
import { isGits } from "../../../src/contract/session/is-gits.ts";
import { refusalWords } from "../words/refusal-words.ts";
import type { OpenSession } from "../store/open-session.ts";

export type Asked =
  | { kind: "loading" }
  | { kind: "refused"; text: string }
  | { kind: "planned"; plan: RewindPlan };

/** Files that git keeps for itself count as none, as they do wherever changes are told. */
export const readablePlan = (plan: RewindPlan): RewindPlan => ({
  ...plan,
  changes: plan.changes.filter(({ path }) => !isGits(path)),
});

/** What a rewind would do, asked again when the session has gone on (`standing` is another then). */
export const usePlan = (
  open: OpenSession,
  turn: number,
  standing: string,
  /** Nothing is asked meanwhile: what was told stays. */
  isHeld: boolean,
): { asked: Asked; again: () => void } => {
  const [told, setTold] = useState<{ turn: number; asked: Asked } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (isHeld) return undefined;
    let isCurrent = true;
    const tell = (asked: Asked): void => {
      if (isCurrent) setTold({ turn, asked });
    };
    open.rewind({ turn, dry_run: true }).then(
      (plan) => tell({ kind: "planned", plan: readablePlan(plan) }),
      (error: unknown) => tell({ kind: "refused", text: refusalWords(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [open, turn, standing, attempt, isHeld]);
  return {
    asked: told?.turn === turn ? told.asked : { kind: "loading" },
    again: () => setAttempt((count) => count + 1),
  };
};
