import { ServerUnreachable } from "../../client/client.ts";
import {
  type ProblemCode,
  RepriseError,
} from "../../contract/problem/problem.ts";
import type { Restriction } from "../../contract/agent/restriction.ts";
import { waysOut, waysToSet } from "./correct.ts";
import { quoted } from "../terminal/quoted.ts";

/** What the command was about, as the person called it. */
export interface Named {
  kind: "session" | "task";
  id: string;
}

/** What to do about an error, beyond what it says itself. */
export const adviceFor = (error: unknown, named?: Named): string | null => {
  if (error instanceof ServerUnreachable) return "Start it with `reprise up`.";
  if (error instanceof RepriseError && error.code === "unauthorized")
    return ABOUT_THE_TOKEN;
  if (error instanceof RepriseError && error.restriction !== undefined)
    return restrictionAdvice(error.restriction, error.state);
  if (!(error instanceof RepriseError)) return null;
  if (error.reason === "agent_not_installed") return HOW_TO_INSTALL;
  if (error.code === "budget_reached") return budgetAdvice(named);
  const advice = byCode[error.code];
  if (advice === undefined) return null;
  return named === undefined ? advice : withId(advice, named);
};

/** A start that failed is tried again with other options; an agent that runs on is told something else. */
const restrictionAdvice = (
  restriction: Restriction,
  state: string | undefined,
): string | null => {
  const isRefusedChange = state !== undefined && state !== "ERROR";
  const ways = isRefusedChange ? waysToSet(restriction) : waysOut(restriction);
  return ways.length === 0
    ? null
    : `Say it again with one of: ${ways.join(" · ")}`;
};

/** It takes the place of `ID`, or `TASK`, so that the command can be pasted. */
const withId = (advice: string, { kind, id }: Named): string =>
  advice.replaceAll(kind === "session" ? /\bID\b/g : /\bTASK\b/g, () =>
    quoted(id),
  );

const budgetAdvice = (named: Named | undefined): string => {
  const ofSession = `\`reprise session set ID --budget ${LIMITS}\``;
  const ofTask = `\`reprise task update TASK --budget ${LIMITS}\``;
  if (named === undefined)
    return `${ofSession} raises that of a session, ${ofTask} that of a task.`;
  return `${withId(named.kind === "session" ? ofSession : ofTask, named)} raises it.`;
};

const LIMITS = "turns=N,minutes=N,tokens=N,cost=N";

/** The commands for what the server tells in its own words. */
const byCode: Partial<Record<ProblemCode, string>> = {
  session_ended: "`reprise session fork ID` goes on from it.",
  task_closed:
    "Create another task with `reprise task create`; `reprise task delete TASK` frees the name of this one.",
  task_exists:
    "`reprise task delete TASK` frees the name of a task that is closed.",
  session_deleted: "`reprise session undelete ID` takes it out of the trash.",
  checkpoint_not_found: "`reprise session checkpoints ID` lists what there is.",
  checkpoint_damaged:
    "`reprise gc --verify` reads everything that is stored and names the checkpoints that lost something.",
  session_damaged:
    "Go on from an earlier turn with `reprise session fork ID TURN`, keep what can be read with `reprise session export ID FILE`, or delete it with `reprise session delete ID`. `reprise session recover ID` reads it once more.",
};

const HOW_TO_INSTALL =
  "`reprise agents` lists the agents that are known here, with the command that installs each that is missing.";

export const ABOUT_THE_TOKEN =
  "Give the server's token in REPRISE_TOKEN, or set REPRISE_HOME to the server's home.";
