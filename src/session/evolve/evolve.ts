import type { Event, EventDataOf } from "../../contract/event/event.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { evolveTail } from "../line/tail.ts";
import type { State } from "../state/state.ts";
import { handedOff, resumed, withLeftOut, withToken } from "./agent.ts";
import { spending } from "./budget.ts";
import {
  changeRefused,
  changeRequested,
  definitionChanged,
  followUpdate,
  sessionChanged,
} from "./changes.ts";
import { countLines, recountLines } from "./changed-lines.ts";
import { captured, withDue, withoutDue } from "./checkpoints.ts";
import { said, withFirstPrompt } from "./conversation.ts";
import {
  askAgain,
  away,
  ended,
  inPhase,
  reached,
  ready,
  started,
} from "./execution.ts";
import { initialState } from "./initial.ts";
import { active, enter } from "./lifecycle.ts";
import { asked } from "./permissions.ts";
import {
  cutBy,
  withFilled,
  withPassedOver,
  withProven,
  withUsedUp,
} from "./quota.ts";
import { delivered, queued, requeued, resolved, withLent } from "./queue.ts";
import {
  forked,
  imported,
  rewindFailed,
  rewindRequested,
  rewound,
  withdraw,
} from "./rewind.ts";
import {
  cancelling,
  inDelivery,
  leaveTurn,
  overTurn,
  startTurn,
} from "./turn.ts";
import { withContext, spend } from "./usage.ts";
import { isWish } from "./wish.ts";

/** The state after an event. `null` stands for a session that does not exist yet. */
export const evolve = (before: State | null, event: Event): State => {
  if (event.type === "session.created") return initialState(event);
  if (before === null)
    throw new Error(
      `${event.type} before session.created in ${event.session_id}`,
    );
  return {
    ...advance(apply(before, event), event),
    budget: spending(before, event),
    line: evolveTail(before.line, event),
  };
};

/** What every event does: it is the newest, it may be a wish, and it may move the offset of the agent's output. */
const advance = (state: State, event: Event): State => {
  const { origin } = event;
  const execution =
    origin !== undefined && state.execution?.epoch === origin.epoch
      ? {
          ...state.execution,
          offset: Math.max(state.execution.offset, origin.to),
        }
      : state.execution;
  return {
    ...state,
    seq: event.seq,
    times: {
      ...state.times,
      newest_at: event.at,
      ...(isWish(event) && { last_wish_at: event.at }),
    },
    execution,
  };
};

type Later = Exclude<Event, { type: "session.created" }>;

const apply = (state: State, event: Later): State => {
  switch (event.type) {
    case "session.state_changed":
      return {
        ...active(state, event),
        lifecycle: enter(state.lifecycle, event.data.to, event),
      };
    case "session.definition.changed":
      return definitionChanged(active(state, event), event.data);
    case "session.changed":
      return sessionChanged(active(state, event), event.data);
    case "session.change.requested":
      return changeRequested(active(state, event), event.data);
    case "session.change.refused":
      return changeRefused(state, event);
    case "session.resume.requested":
      return askAgain(
        {
          ...withLent(state, event.data.credentials),
          lifecycle: {
            name: "STARTING",
            trigger: event.data.trigger,
            since: event.at,
          },
        },
        event.data.trigger,
      );
    case "session.agentctl_starting":
      return away(state, { status: "starting" });
    case "session.agentctl_ready":
      return reached(state, event.data);
    case "session.agentctl_error":
      return away(state, { status: "error", message: event.data.message });

    case "session.execution.started":
      return started(state, event.data);
    case "session.execution.stopping":
      return inPhase(state, {
        kind: "stopping",
        reason: event.data.reason,
        again: null,
        ...(event.data.message === undefined
          ? {}
          : { message: event.data.message }),
      });
    case "session.execution.ended":
      return ended(state, event.data);
    case "session.agent.ready":
      return ready(state, event);
    case "session.resumed":
      return resumed(state, event.data);
    case "session.token.recorded":
      return withToken(state, event.data.token);
    case "session.token.cleared":
      return withToken(state, null);
    case "session.transcript.recorded": {
      const { bytes, sha256 } = event.data;
      return {
        ...state,
        agent: { ...state.agent, transcript: { bytes, sha256 } },
      };
    }

    case "session.prompt.queued":
      return askAgain(
        queued(withFirstPrompt(active(state, event), event.data.text), event),
        "prompt",
      );
    case "session.prompt.delivered":
      return delivered(state);
    case "session.prompt.requeued":
      return requeued(state, event);
    case "session.prompt.cancelled":
      return withdraw(state, event.data.prompt_id);
    case "session.prompt.uncertain":
      return leaveTurn(state, event.data, { kind: "uncertain" });
    case "session.prompt.resolved":
      return resolved(state, event.data);
    case "session.history.injected":
      return withLeftOut(
        inDelivery(state, { history_recorded: true }),
        event.data.left_out ?? 0,
      );
    case "session.prompt.prepared": {
      const { restrictions } = event.data;
      return inDelivery(state, { prepared: { restrictions } });
    }

    case "session.turn.started":
      return startTurn(
        active(state, event),
        event.data.turn,
        event.data.prompt_id,
      );
    case "session.turn.cancel_requested":
      return cancelling(state, event);
    case "session.turn.ended":
      return endTurn(active(state, event), event.data);
    case "session.turn.interrupted":
      return withUsedUp(leaveTurn(state, event.data, cutBy(event)), event);

    case "session.message.added":
    case "session.message.updated":
    case "session.tool.updated":
      return said(state, event);
    case "session.usage":
      return withContext(state, event.data);
    case "session.agent.update":
      return followUpdate(state, event.data);
    case "session.plan.updated":
    case "session.notice":
    case "session.budget.reached":
      return state;
    case "session.budget.changed":
      return active(state, event);

    case "session.permission.requested":
    case "session.permission.answered":
    case "session.permission.delivered":
    case "session.permission.closed":
      return asked(state, event);
    case "session.instruction_files.recorded": {
      const { files: instruction_files } = event.data;
      const definition = { ...state.agent.definition, instruction_files };
      return { ...state, agent: { ...state.agent, definition } };
    }
    case "session.workspace.shared":
      return { ...state, workspace: { ...state.workspace, shared: true } };
    case "session.checkpoint.requested":
      return withDue(state, event.data);
    case "session.checkpoint.skipped":
      return withoutDue(state, event.data);
    case "session.checkpoint.saved":
    case "session.checkpoint.partial":
    case "session.checkpoint.failed":
      return countLines(
        captured(state, event.data.checkpoint),
        event.data.checkpoint,
      );
    case "session.forked":
      return forked(state, event.data);
    case "session.rewind.requested":
      return rewindRequested(active(state, event), event.data);
    case "session.rewound":
      return recountLines(rewound(state, event.data));
    case "session.rewind.failed":
      return rewindFailed(state, event.data);
    case "session.handed_off":
      return handedOff(active(state, event), event.data);
    case "session.quota.filled":
      return withFilled(state, event.data);
    case "session.quota.passed_over":
      return withPassedOver(state, event.data);
    case "session.imported":
      return imported(state, event.data);
    case "session.deleted":
      return { ...state, deleted_at: event.at };
    case "session.undeleted":
      return { ...state, deleted_at: null };
    case "session.ended":
      return state;
    default:
      return unreachable(event);
  }
};

const endTurn = (
  state: State,
  data: EventDataOf<"session.turn.ended">,
): State => {
  const { usage, last_message_id } = data;
  const over = withProven(spend(overTurn(state), usage), data);
  return {
    ...over,
    agent: { ...over.agent, last_message_id: last_message_id ?? null },
    prompts: { ...over.prompts, continuations: 0 },
  };
};
