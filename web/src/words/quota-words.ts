/** What a quota that is used up keeps waiting. */
import type { Session } from "../../../src/contract/session/session.ts";
import { dueTime } from "./age.ts";
import { counted } from "./counts.ts";
import { button } from "./standing-parts.ts";
import type { StandingButton } from "./standing-row.ts";

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

/** What can be done about it: the same wherever it is offered. */
export const quotaButtons = ({
  unresolved_prompts,
}: Pick<Session, "unresolved_prompts">): StandingButton[] => {
  const cut = unresolved_prompts.at(-1);
  if (cut === undefined) return [button("Go on now", { kind: "resume_now" })];
  const promptId = cut.id;
  const goesOn = (cut.goes_on ?? null) !== null;
  return [
    button(
      "Go on now",
      goesOn
        ? { kind: "resume_now" }
        : { kind: "resolve", promptId, action: "continue" },
    ),
    button("Drop it", { kind: "resolve", promptId, action: "drop" }),
  ];
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
