import type { OwnMode } from "../../../agents/agent/agent.ts";
import type { PromptId } from "../../../contract/base/id.ts";
import type { Resume } from "../../../contract/agent/resume.ts";
import type { ProcessIdentity } from "../../../kit/processes/process-identity.ts";
import {
  emptyMap,
  entriesOf,
  type PersistentMap,
  valueOf,
  withEntry,
} from "../../../kit/data/persistent-map.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import type { Known, Open, Opened, Purpose } from "../../drivers/driver.ts";
import type { JournalRecord } from "./record.ts";

/** What the journal of an execution says, folded. The running agentctl and its successor read it with the same eyes. */
export interface History {
  wrapper: ProcessIdentity | null;
  open: Open;
  /** The workspace against its newest checkpoint, as far as that was known when the agent was started. */
  workspace: Resume["workspace"];
  /** The mode that the person's own configuration stood for when the agent was started. */
  ownMode: OwnMode | null;
  /** The person's environment let it act unasked. */
  allowsAll: boolean;
  handed: readonly PromptId[];
  /** How many of them were handed over before a record that cannot be read; null when all can be. */
  handedBeforeGap: number | null;
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
  /** Purposes of committed messages, by their keys; of answers, those since the last turn ended. */
  committed: PersistentMap<true>;
  /** Changes of its settings that are over, by their numbers. */
  changes: readonly number[];
  stopping: boolean;
  outputLost: boolean;
  failed: boolean;
  acknowledged: number;
  ended: boolean;
  /** How far stdout had been read by then. */
  endedAt: number | null;
}

export const blank: History = {
  wrapper: null,
  open: { kind: "new" },
  workspace: null,
  ownMode: null,
  allowsAll: false,
  committed: emptyMap,
  outputLost: false,
  handed: [],
  handedBeforeGap: null,
  taken: [],
  message: null,
  ready: null,
  token: null,
  turnEnds: [],
  changes: [],
  stopping: false,
  failed: false,
  acknowledged: 0,
  ended: false,
  endedAt: null,
};

/** An order without a known result: nothing was sent to an agent, and no decision was made about it. */
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
        ownMode: record.own_mode,
        allowsAll: record.allows_all,
      };
    case "handed":
      return { ...history, handed: [...history.handed, record.prompt_id] };
    case "sent": {
      const { number, purpose } = record;
      return { ...history, message: { number, purpose, step: "sent" } };
    }
    case "committed":
      return commit(history);
    case "written":
      return history.message === null
        ? history
        : { ...history, message: { ...history.message, step: "written" } };
    case "opened":
      return { ...history, ready: record.ready };
    case "turn_ended": {
      const { prompt_id, at, token = history.token } = record;
      const turnEnds = [...history.turnEnds, { prompt_id, at }];
      const committed = withoutAnswers(history.committed);
      return { ...history, turnEnds, token, committed };
    }
    case "transcript":
    case "notice":
      return history;
    case "changed":
    case "change_refused":
      return { ...history, changes: [...history.changes, record.change] };
    case "failed":
      return { ...history, failed: true };
    case "stopping":
      return { ...history, stopping: true };
    case "output_lost":
      return { ...history, outputLost: true };
    case "acknowledged":
      return { ...history, acknowledged: record.to };
    case "ended":
      return { ...history, ended: true, endedAt: record.at };
    default:
      return unreachable(record);
  }
};

/** What was written there is not known: it may have been the commit of any prompt that was handed over before. */
export const withGap = (history: History): History => ({
  ...history,
  handedBeforeGap: history.handed.length,
});

/** Prompts that were handed over, and of which the journal proves that no message with them was committed. */
export const provenNotTaken = ({
  handed,
  handedBeforeGap,
  taken,
}: History): PromptId[] => {
  const known = new Set(taken);
  return handed.slice(handedBeforeGap ?? 0).filter((id) => !known.has(id));
};

/** The commit, not the newline, decides: whoever finds a committed message writes the newline, or finds the agent dead. */
const commit = (history: History): History => {
  const { message, taken } = history;
  if (message === null) return history;
  const { purpose } = message;
  return {
    ...history,
    message: { ...message, step: "committed" },
    committed: withEntry(history.committed, keyOf(purpose), true),
    taken: purpose.kind === "prompt" ? [...taken, purpose.prompt_id] : taken,
  };
};

/**
 * Whether a message was committed and is not sent again. A turn may be cancelled, an agent pinged, and a setting set to
 * the same value any number of times.
 */
export const isDone = ({ committed }: History, purpose: Purpose): boolean =>
  valueOf(committed, keyOf(purpose)) === true &&
  purpose.kind !== "cancel" &&
  purpose.kind !== "change" &&
  purpose.kind !== "ping" &&
  purpose.kind !== "close";

const keyOf = (purpose: Purpose): string => Object.values(purpose).join(" ");

const isAnswer = (key: string): boolean =>
  key.startsWith("answer ") || key.startsWith("reply ");

/** What the agent asked in a turn that is over is never read again, so nobody asks whether it was answered. */
const withoutAnswers = (committed: PersistentMap<true>): PersistentMap<true> =>
  [...entriesOf(committed)]
    .filter(([key]) => !isAnswer(key))
    .reduce<PersistentMap<true>>(
      (map, [key]) => withEntry(map, key, true),
      emptyMap,
    );

/** How far the words of an execution need not be read again. */
export const readBefore = (history: History): number =>
  history.endedAt ?? quietPoint(history).at;

/** Where a successor begins to read again, and what the driver has to know there: the end of the last turn is a quiet place. */
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
const answeredOffsets = (committed: PersistentMap<true>): Set<number> =>
  new Set(
    [...entriesOf(committed)]
      .filter(([key]) => isAnswer(key))
      .map(([key]) => Number(/\d+$/.exec(key)?.[0])),
  );
