/** What a quota that is used up keeps waiting. */
import type { Session } from "../../../src/contract/session/session.ts";
import { dueTime } from "./age.ts";
import { counted } from "./counts.ts";

export interface QuotaWait {
  /** `Quota used up until 15:00` */
  title: string;
  /** `Turn 6 goes on by itself then` */
  what: string;
}

/** Null where no quota keeps anything waiting. */
export const quotaWait = (session: Session, now: number): QuotaWait | null => {
  const until = untilOf(session);
  const cut = session.unresolved_prompts.at(-1);
  const waiting = session.queued_prompts.length;
  if (until === null || (cut === undefined && waiting === 0)) return null;
  return {
    title: `Quota used up until ${dueTime(until, now)}`,
    what:
      cut === undefined
        ? `${counted(waiting, "prompt begins by itself", "prompts begin by themselves")} then`
        : `${cut.turn === null ? "The turn" : `Turn ${cut.turn}`} ${(cut.goes_on ?? null) === null ? "waits for your word" : "goes on by itself then"}`,
  };
};

const untilOf = ({ agent, quota }: Session): string | null =>
  quota.goes_on_at ??
  quota.prompts_wait_until ??
  quota.used_up.find((each) => each.agent === agent)?.until ??
  null;

/** A quota cut its newest turn off, or keeps its prompts waiting: nothing went wrong. */
export const waitsForQuota = (session: Session): boolean =>
  (session.unresolved_prompts.at(-1)?.why?.code === "quota" ||
    session.queued_prompts.length > 0) &&
  untilOf(session) !== null;
