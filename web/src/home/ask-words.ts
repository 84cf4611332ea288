/** What a row of “Needs you” says. */
import type { Session } from "../../../src/contract/session/session.ts";
import type { Attention } from "../store/attention.ts";
import { counted } from "../words/counts.ts";
import { cutWords } from "../words/cut-words.ts";
import { quotaWait, waitsForQuota } from "../words/quota-words.ts";
import { legible, legibleName } from "../words/legible.ts";

export interface AskWords {
  what: string;
  /** A command or a text of somebody's, shown as such behind `what`. */
  quoted: string | null;
  /** Who, and where it stands. */
  where: string;
}

export const askWords = (
  { session, reason }: Attention,
  agentName: string,
  now: number,
): AskWords => {
  switch (reason) {
    case "permission":
      return asks(session, agentName);
    case "uncertain":
      return {
        what: "Nobody knows whether the agent took a prompt",
        quoted: undecided(session)?.text ?? null,
        where: `${agentName}${inTurn(session)}`,
      };
    case "interrupted":
      return cutOff(session, agentName, now);
    case "error":
      return {
        what: session.error_message ?? "The agent could not be brought back",
        quoted: null,
        where: waiting(session, agentName),
      };
    case "budget":
      return {
        what: "The budget is used up",
        quoted: null,
        where: waiting(session, agentName),
      };
    case "finished":
      return {
        what:
          session.last_words === null
            ? "Finished"
            : `Finished: ${session.last_words}`,
        quoted: null,
        where: `${agentName}, turn ${session.turn_count}`,
      };
  }
};

const cutOff = (session: Session, agentName: string, now: number): AskWords => {
  const prompt = undecided(session);
  const wait = quotaWait(session, now);
  if (wait !== null && isQuota(session, now))
    return {
      what: wait.title,
      quoted: null,
      where: `${agentName}, ${wait.what.replace(/^T/, "t")}`,
    };
  const how = prompt === undefined ? "" : `: ${cutWords(prompt)}`;
  return {
    what: `${turnWord(session)} was cut off${how}`,
    quoted: null,
    where: `${agentName} waits for your word`,
  };
};

/** A quota cut it off, and somebody decides: the row says that, and offers what the band of the session does. */
export const isQuota = (session: Session, now: number): boolean =>
  waitsForQuota(session) && quotaWait(session, now) !== null;

const asks = (session: Session, agentName: string): AskWords => {
  const [permission, ...others] = session.pending_permissions;
  const more =
    others.length === 0
      ? ""
      : `, and ${counted(others.length, "more question")}`;
  const command = permission?.tool?.command ?? null;
  return {
    what:
      command === null ? legibleName(permission?.title ?? "A question") : "Run",
    quoted: command === null ? null : legible(command),
    where: `${agentName} asks${permission === undefined ? "" : `, turn ${permission.turn}`}${more}`,
  };
};

/** Whether the question can be answered here: all that would be allowed is in sight. */
export const isAnswerable = (session: Session): boolean => {
  const [permission] = session.pending_permissions;
  return (
    permission !== undefined &&
    !(session.shortened ?? []).includes("pending_permissions") &&
    (permission.tool === undefined ||
      (permission.tool.diff === null &&
        (permission.tool.shortened ?? []).length === 0 &&
        (permission.tool.command?.length ?? 0) <= MAX_COMMAND))
  );
};

/** Longer commands do not fit into a row. */
const MAX_COMMAND = 120;

type Undecided = Session["unresolved_prompts"][number];

export const undecided = (session: Session): Undecided | undefined =>
  session.unresolved_prompts.findLast(({ goes_on = null }) => goes_on === null);

const turnWord = (session: Session): string => {
  const turn = undecided(session)?.turn ?? null;
  return turn === null ? "A turn" : `Turn ${turn}`;
};

const inTurn = (session: Session): string => {
  const turn = undecided(session)?.turn ?? null;
  return turn === null ? "" : `, turn ${turn}`;
};

const waiting = (session: Session, agentName: string): string => {
  const count = session.queued_prompts.length;
  return count === 0
    ? agentName
    : `${agentName}, ${counted(count, "prompt waits", "prompts wait")}`;
};
