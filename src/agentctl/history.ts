import type { PromptId } from "../contract/id.ts";
import type { ReportItem } from "../contract/report.ts";
import type { Resume } from "../contract/resume.ts";
import type { ProcessIdentity } from "../kit/process-identity.ts";
import { unreachable } from "../kit/unreachable.ts";
import type { Known, Open, Opened, Purpose } from "./drivers/driver.ts";
import type { JournalRecord } from "./record.ts";

/** What the journal of an execution says, folded. The running agentctl and its successor read it with the same eyes. */
export interface History {
  wrapper: ProcessIdentity | null;
  open: Open;
  /** The workspace against its newest checkpoint, as far as that was known when the agent was started. */
  workspace: Resume["workspace"];
  handed: readonly PromptId[];
  /** Of those handed, the ones whose message is committed: taken, whatever happens next. */
  taken: readonly PromptId[];
  /** The last message. Messages go one at a time, so no other can be unfinished. */
  message: {
    number: number;
    purpose: Purpose;
    step: "sent" | "committed" | "written";
  } | null;
  ready: Opened | null;
  /** What the agent's own session is resumed by, when that is not the id it opened with. */
  token: string | null;
  turnEnds: readonly { prompt_id: PromptId; at: number }[];
  /** What is reported without bytes of its own, in the order of the agent's words. */
  facts: readonly Fact[];
  /** Purposes of committed messages, by their keys. */
  committed: ReadonlySet<string>;
  stopping: boolean;
  outputLost: boolean;
  failed: boolean;
  acknowledged: number;
  ended: boolean;
}

export interface Fact {
  at: number;
  item: ReportItem;
}

export const blank: History = {
  wrapper: null,
  open: { kind: "new" },
  workspace: null,
  committed: new Set(),
  outputLost: false,
  handed: [],
  taken: [],
  message: null,
  ready: null,
  token: null,
  turnEnds: [],
  facts: [],
  stopping: false,
  failed: false,
  acknowledged: 0,
  ended: false,
};

/** An order that nothing has come of, as far as is known: no agent was told anything, and nobody decided about it. */
export const isUnbegun = (history: History): boolean =>
  history.wrapper === null &&
  history.message === null &&
  history.ready === null &&
  !history.stopping &&
  !history.failed &&
  !history.ended;

export const evolve = (history: History, record: JournalRecord): History => {
  switch (record.kind) {
    case "ordered":
      return history;
    case "launched":
      return {
        ...history,
        wrapper: record.wrapper,
        open: record.open,
        workspace: record.workspace,
      };
    case "handed":
      return { ...history, handed: [...history.handed, record.prompt_id] };
    case "sent": {
      const { number, purpose } = record;
      return { ...history, message: { number, purpose, step: "sent" } };
    }
    case "committed":
      return commit(history, record.at);
    case "written":
      return history.message === null
        ? history
        : { ...history, message: { ...history.message, step: "written" } };
    case "opened":
      return { ...history, ready: record.ready };
    case "turn_ended": {
      const { prompt_id, at, token = history.token } = record;
      const turnEnds = [...history.turnEnds, { prompt_id, at }];
      return { ...history, turnEnds, token };
    }
    case "transcript": {
      const { bytes, sha256 } = record;
      const item = { kind: "transcript", range: null, bytes, sha256 } as const;
      return addFact(history, record.at, item);
    }
    case "notice": {
      const { code, text } = record;
      const item = { kind: "notice", range: null, code, text } as const;
      return addFact(history, record.at, item);
    }
    case "failed": {
      const { failure, message } = record;
      return addFact({ ...history, failed: true }, record.at, {
        kind: "start_failed",
        range: null,
        failure,
        message,
      });
    }
    case "stopping":
      return { ...history, stopping: true };
    case "output_lost":
      return {
        ...history,
        outputLost: true,
        facts: history.facts.map(asLost),
      };
    case "acknowledged":
      return { ...history, acknowledged: record.to };
    case "ended": {
      const { ending, stderr_tail } = record;
      const taken = new Set(history.taken);
      return addFact({ ...history, ended: true }, record.at, {
        kind: "ended",
        range: null,
        ending,
        not_taken: history.handed.filter((id) => !taken.has(id)),
        stderr_tail,
      });
    }
    default:
      return unreachable(record);
  }
};

const asLost = (fact: Fact): Fact =>
  fact.item.kind === "ended"
    ? { ...fact, item: { ...fact.item, ending: { kind: "output_lost" } } }
    : fact;

/** The commit, not the newline, decides: whoever finds a committed message writes the newline, or finds the agent dead. */
const commit = (history: History, at: number): History => {
  const { message } = history;
  if (message === null) return history;
  const { purpose } = message;
  const committed: History = {
    ...history,
    message: { ...message, step: "committed" },
    committed: new Set(history.committed).add(keyOf(purpose)),
  };
  if (purpose.kind === "prompt") {
    const { prompt_id } = purpose;
    return addFact({ ...committed, taken: [...history.taken, prompt_id] }, at, {
      kind: "prompt_delivered",
      range: null,
      prompt_id,
    });
  }
  if (purpose.kind === "answer") {
    const { permission_id } = purpose;
    return addFact(committed, at, {
      kind: "answer_delivered",
      range: null,
      permission_id,
    });
  }
  return committed;
};

const addFact = (history: History, at: number, item: ReportItem): History => ({
  ...history,
  facts: [...history.facts, { at, item }],
});

/** Whether a message was committed and is not sent again. A turn may be cancelled, and an agent pinged, any number of times. */
export const isDone = ({ committed }: History, purpose: Purpose): boolean =>
  committed.has(keyOf(purpose)) &&
  purpose.kind !== "cancel" &&
  purpose.kind !== "ping" &&
  purpose.kind !== "close";

const keyOf = (purpose: Purpose): string => Object.values(purpose).join(" ");

/** How far the words of an execution need not be heard again. */
export const heardBefore = (history: History): number => {
  const end = history.facts.findLast(({ item }) => item.kind === "ended");
  return end?.at ?? quietPoint(history).at;
};

/** Where a successor begins to hear again, and what the driver has to know there: the end of the last turn is a quiet place. */
export const quietPoint = (history: History): { at: number; known: Known } => {
  const ended = new Set(history.turnEnds.map(({ prompt_id }) => prompt_id));
  return {
    at: history.turnEnds.at(-1)?.at ?? history.ready?.range.to ?? 0,
    known: {
      ready: history.ready,
      token: history.token,
      running: history.taken.filter((id) => !ended.has(id)),
      answered: answeredOffsets(history.committed),
    },
  };
};

/** A permission is named after its offset, a reply carries it: both end in it. */
const answeredOffsets = (committed: ReadonlySet<string>): Set<number> =>
  new Set(
    [...committed]
      .filter((key) => key.startsWith("answer ") || key.startsWith("reply "))
      .map((key) => Number(/\d+$/.exec(key)?.[0])),
  );

/**
 * The facts that somebody who has the words up to `from` is told again: all that belong to the turn `from` lies in or
 * to later ones, and of the earlier ones the state of the agent's session file, which nothing later repeats.
 */
export const factsSince = (history: History, from: number): readonly Fact[] => {
  const turn = history.turnEnds.findLast(({ at }) => at <= from)?.at ?? 0;
  const mark = history.facts.findLast(
    ({ at, item }) => at < turn && item.kind === "transcript",
  );
  return history.facts.filter((fact) => fact.at >= turn || fact === mark);
};
