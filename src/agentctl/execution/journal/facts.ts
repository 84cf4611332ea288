/** What is reported without bytes of its own. Each record of the journal gives at most one fact. */
import type { ReportItem } from "../../../contract/link/report.ts";
import { type History, provenNotTaken } from "./history.ts";
import type { JournalRecord } from "./record.ts";

export interface Fact {
  /** Its place among the agent's words. */
  at: number;
  item: ReportItem;
}

/** The fact that a record adds to what the journal said before it. */
export const factOf = (before: History, record: JournalRecord): Fact | null => {
  switch (record.kind) {
    case "committed":
      return committed(before, record.at);
    case "transcript": {
      const { at, bytes, sha256 } = record;
      return { at, item: { kind: "transcript", range: null, bytes, sha256 } };
    }
    case "notice": {
      const { at, ...told } = record;
      return { at, item: { ...told, range: null } };
    }
    case "changed": {
      const { at, change, applied, offered } = record;
      const kind = "change_applied";
      return { at, item: { kind, range: null, change, applied, offered } };
    }
    case "change_refused": {
      const { at, kind, change, restriction } = record;
      return { at, item: { kind, range: null, change, restriction } };
    }
    case "failed": {
      const { at, kind: _, ...how } = record;
      return { at, item: { kind: "start_failed", range: null, ...how } };
    }
    case "ended": {
      const { at, ending, stderr_tail } = record;
      const not_taken = provenNotTaken(before);
      const how = {
        ending,
        not_taken,
        ...(before.handedBeforeGap !== null && { journal_damaged: true }),
        stderr_tail,
      };
      return { at, item: { kind: "ended", range: null, ...how } };
    }
    default:
      return null;
  }
};

/** The commit, not the newline, is what makes a message delivered. */
const committed = ({ message }: History, at: number): Fact | null => {
  switch (message?.purpose.kind) {
    case "prompt": {
      const { prompt_id } = message.purpose;
      return { at, item: { kind: "prompt_delivered", range: null, prompt_id } };
    }
    case "answer": {
      const { permission_id } = message.purpose;
      const kind = "answer_delivered";
      return { at, item: { kind, range: null, permission_id } };
    }
    default:
      return null;
  }
};

/** When output was lost, that is how the execution ended, whatever was found out before. */
export const asLost = (fact: Fact): Fact =>
  fact.item.kind === "ended"
    ? { ...fact, item: { ...fact.item, ending: { kind: "output_lost" } } }
    : fact;

/**
 * The facts that somebody who has the words up to `from` is told again: all that belong to the turn `from` lies in or
 * to later ones. Of the agent's session file it is the newest state up to `from`, which nothing later repeats, and none before it.
 */
export const factsSince = (
  facts: readonly Fact[],
  { turnEnds }: History,
  from: number,
): readonly Fact[] => {
  const turn = turnEnds.findLast(({ at }) => at <= from)?.at ?? 0;
  const mark = facts.findLast(
    ({ at, item }) => at <= from && item.kind === "transcript",
  );
  return facts.filter((fact) =>
    fact.item.kind === "transcript"
      ? fact.at > from || fact === mark
      : fact.at >= turn,
  );
};
