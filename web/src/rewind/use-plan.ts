import { useEffect, useState } from "react";
import type { RewindPlan } from "../../../src/contract/session/checkpoint.ts";
import { refusalWords } from "../words/refusal-words.ts";
import type { OpenSession } from "../store/open-session.ts";

export type Asked =
  | { kind: "loading" }
  | { kind: "refused"; text: string }
  | { kind: "planned"; plan: RewindPlan };

/** What a rewind would do, asked again when the session has gone on (`standing` is another then). */
export const usePlan = (
  open: OpenSession,
  turn: number,
  standing: string,
): { asked: Asked; again: () => void } => {
  const [told, setTold] = useState<{ turn: number; asked: Asked } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const tell = (asked: Asked): void => {
      if (isCurrent) setTold({ turn, asked });
    };
    open.rewind({ turn, dry_run: true }).then(
      (plan) => tell({ kind: "planned", plan }),
      (error: unknown) => tell({ kind: "refused", text: refusalWords(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [open, turn, standing, attempt]);
  return {
    asked: told?.turn === turn ? told.asked : { kind: "loading" },
    again: () => setAttempt((count) => count + 1),
  };
};
