/**
 * The line of a session, folded from its events: by the server, and by clients that go on from the server's answer. What
 * the marks mean is in `contract/session/line.ts`, and when there is one in the rules SES-170 to SES-178.
 */
import type { Event } from "../../contract/event/event.ts";
import type { LineFold } from "../../contract/session/line.ts";
import { ended, moved, rested, resumed } from "./agent.ts";
import type { Entry, Line } from "../state/line.ts";
import { inTurn } from "./entry.ts";
import { allOwn, toldUpTo } from "./knowledge.ts";
import { added, toldAll } from "./parts.ts";
import { leftOut, rewound } from "./history.ts";
import {
  asking,
  counted,
  cut,
  givenBack,
  stands,
  stopWaiting,
  turnStarted,
  wait,
} from "./turns.ts";

export type { Line };

const initialFold: LineFold = {
  last: 0,
  rewinds: [],
  knows: allOwn,
  knew: [],
  is_history_due: false,
  inherited: 0,
  messages: [],
  said: { turn: 0, messages: 0 },
  waiting: [],
  asking: [],
  execution: null,
  booted: false,
  is_open: false,
  is_fresh: false,
};

export const initialLine: Line = { seq: 0, entries: [], ...initialFold };

/** The line after an event. An event that is in it already changes nothing, nor does one of an unknown type. */
export const evolveLine = (line: Line, event: Event): Line =>
  event.seq <= line.seq ? line : { ...apply(line, event), seq: event.seq };

const apply = (line: Line, event: Event): Line => {
  switch (event.type) {
    case "session.created":
      return added(line, { kind: "start", at: event.at, files: 0 });
    case "session.forked": {
      const { parent, memory } = event.data;
      const isTold = memory === null && parent.turn > 0;
      return {
        ...line,
        last: parent.turn,
        booted: parent.turn > 0,
        knows: isTold ? toldUpTo(parent.turn) : allOwn,
        is_history_due: isTold,
      };
    }

    case "session.prompt.queued":
      return wait(line, event.data.prompt_id, event.data.text);
    case "session.prompt.cancelled":
      return stopWaiting(line, event.data.prompt_id);
    case "session.prompt.requeued":
      return givenBack(line, event.data);
    case "session.prompt.delivered":
      return { ...line, is_history_due: false };
    case "session.turn.started":
      return turnStarted(line, event.data, event.at);
    case "session.turn.ended":
      return stands(line, event.data.turn, event.data.outcome);
    case "session.turn.interrupted": {
      const { turn, limit } = event.data;
      // A quota cuts a turn off, and the agent lives on.
      return cut(
        stands(line, turn, "interrupted"),
        limit === undefined ? turn : null,
      );
    }
    case "session.prompt.uncertain":
      return cut(stands(line, event.data.turn, "uncertain"), event.data.turn);
    case "session.message.added":
      return counted(line, event.data.message);

    case "session.permission.requested": {
      const { permission, answered_by } = event.data;
      return answered_by === undefined && permission.state === "pending"
        ? asking(line, [...line.asking, permission.id])
        : line;
    }
    case "session.permission.answered":
    case "session.permission.closed":
      return asking(
        line,
        line.asking.filter((id) => id !== event.data.id),
      );

    case "session.execution.started":
      return { ...line, execution: { asked: false, cut: null } };
    case "session.execution.stopping":
      return {
        ...line,
        execution: line.execution && { ...line.execution, asked: true },
      };
    case "session.execution.ended":
      return ended(line, event.data.ending, event.at);
    case "session.agent.ready":
      // The first start is no resume: no other event tells that it went well.
      return { ...line, booted: true, is_open: line.booted && line.is_open };
    case "session.resumed":
      return resumed(line, event.data, event.at);
    case "session.state_changed": {
      const after = { ...line, is_fresh: false };
      return event.data.to === "PAUSED" ? rested(after, event.at) : after;
    }
    case "session.imported":
      return moved(line);

    case "session.history.injected":
      return leftOut(line, event.data.left_out ?? 0);
    case "session.checkpoint.saved":
    case "session.checkpoint.partial":
    case "session.checkpoint.failed":
      return {
        ...line,
        entries: captured(line.entries, event.data.checkpoint),
      };
    case "session.rewound":
      return rewound(line, event.data, event.at);
    case "session.handed_off":
      return toldAll(
        added(line, {
          kind: "handed_off",
          at: event.at,
          to: event.data.definition.agent,
        }),
      );
    case "session.ended":
      return added(line, { kind: "ended", at: event.at });
    default:
      return line;
  }
};

/** What a session found, and what each turn left. */
const captured = (
  entries: readonly Entry[],
  {
    kind,
    turn,
    outcome,
    files,
    changes,
  }: Extract<Event, { type: "session.checkpoint.saved" }>["data"]["checkpoint"],
): readonly Entry[] => {
  if (kind === "turn")
    return inTurn(entries, turn, {
      capture: outcome,
      changes: changes ?? null,
    });
  const [first] = entries;
  return kind === "baseline" && first?.kind === "start"
    ? entries.with(0, { ...first, files })
    : entries;
};
