import type { ResumeGrade } from "../../contract/resume.ts";
import type { Event, EventDataOf } from "../../contract/event.ts";
import { LOCAL } from "../../contract/place.ts";
import { laterThan } from "../../kit/time/elapsed.ts";
import { emptyMap } from "../../kit/data/persistent-map.ts";
import { unreachable } from "../../kit/unreachable.ts";
import {
  active,
  askAgain,
  enter,
  inPhase,
  inTurn,
  labelOf,
  leaveTurn,
  overTurn,
  startTurn,
} from "../state/change.ts";
import { followMode, redefined } from "../state/applied.ts";
import { awayAgentctl, reachedAgentctl } from "../state/agentctl.ts";
import { isBriefingDue } from "../state/brief.ts";
import { withLeftOut } from "./grade.ts";
import { said } from "./conversation.ts";
import { initialState } from "../state/initial.ts";
import {
  captured,
  dueAtEnd,
  forked,
  imported,
  rewindFailed,
  rewound,
  turnStoodAt,
  turnsKnown,
  withdraw,
  withoutDue,
  withoutMemory,
} from "../state/history.ts";
import { asked } from "./permissions.ts";
import { queued, requeued, withLent } from "./queue.ts";
import type { Execution, State } from "../state/state.ts";
import { addUsage, heldContext, spend } from "./usage.ts";
import { isWish } from "./wish.ts";

/** The history is due after a resume that needs it, and stays due until a prompt has carried it. */
const isInjectionDue = (state: State, grade: ResumeGrade | null): boolean => {
  if (grade === "reattached") return state.inject;
  return grade === "injected" && turnsKnown(state) > 0;
};

/** It is about the same prompt as the one that it replaces. */
const replacementOf = (
  { unresolved }: State,
  { prompt_id, by }: EventDataOf<"session.prompt.resolved">,
): State["replacement"] => {
  const replaced = unresolved.find(({ id }) => id === prompt_id);
  return by === null || replaced === undefined
    ? null
    : { id: by, about_seq: replaced.about_seq };
};

/** Going on after a quota was filled again is no sign that the turn itself goes wrong. */
const isContinuation = (
  { unresolved }: State,
  { prompt_id, action }: EventDataOf<"session.prompt.resolved">,
): boolean =>
  action === "continue" &&
  unresolved.find(({ id }) => id === prompt_id)?.not_before === null;

/** The state after an event. `null` stands for a session that does not exist yet. */
export const evolve = (before: State | null, event: Event): State => {
  if (event.type === "session.created") return initialState(event);
  if (before === null)
    throw new Error(
      `${event.type} before session.created in ${event.session_id}`,
    );
  return advance(apply(before, event), event);
};

/** What every event does: it counts, it may be a wish, and it may move the offset of the agent's output. */
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
    at: event.at,
    last_wish_at: isWish(event) ? event.at : state.last_wish_at,
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
      return redefined(active(state, event), event.data.definition);
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
      return { ...state, agentctl: awayAgentctl(state, "starting", null) };
    case "session.agentctl_ready":
      return reachedAgentctl(state, event.data);
    case "session.agentctl_error":
      return {
        ...state,
        agentctl: awayAgentctl(state, "error", event.data.message),
      };

    case "session.execution.started": {
      const { execution_id: id, epoch, path, strategy, token } = event.data;
      const execution: Execution = {
        id,
        epoch,
        place: event.data.place ?? LOCAL,
        place_id: event.data.place_id ?? null,
        path,
        strategy,
        token,
        failed: event.data.failed ?? null,
        rebuild: event.data.rebuild ?? null,
        ...labelOf(event.data),
        ...(event.data.without !== undefined && {
          without: event.data.without,
        }),
        offset: 0,
        spent: null,
        phase: { kind: "starting" },
      };
      return { ...state, epoch, execution };
    }
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
      return {
        ...state,
        execution: null,
        last_execution_id: event.data.execution_id,
        answers: emptyMap,
        open_message: null,
        due: dueAtEnd(state),
        lost_starts:
          state.lifecycle.name === "STARTING" &&
          event.data.ending.kind === "vanished"
            ? state.lost_starts + 1
            : 0,
      };
    case "session.agent.ready":
      return {
        ...inPhase(state, { kind: "ready" }),
        token: event.data.token ?? state.token,
        last_message_id:
          event.data.opened === "new" ? null : state.last_message_id,
        abilities: event.data.abilities,
        applied: event.data.applied ?? null,
        context: event.data.opened === "new" ? null : state.context,
        booted: true,
        lost_starts: 0,
        memory: null,
        brief: isBriefingDue(state, event.data),
        told_limits: event.data.system_prompt?.restrictions ?? false,
        // What was recorded of another session of the agent verifies nothing about this one.
        transcript: event.data.token === state.token ? state.transcript : null,
      };
    case "session.resumed":
      return {
        ...state,
        resume: event.data.resume,
        inject: isInjectionDue(state, event.data.resume.grade),
        forgotten: event.data.forgotten ?? state.forgotten,
      };
    case "session.token.recorded":
      return { ...state, token: event.data.token, transcript: null };
    case "session.token.cleared":
      return { ...state, token: null, transcript: null };
    case "session.transcript.recorded":
      return {
        ...state,
        transcript: { bytes: event.data.bytes, sha256: event.data.sha256 },
      };

    case "session.prompt.queued":
      return askAgain(queued(active(state, event), event), "prompt");
    case "session.prompt.delivered":
      return {
        ...inTurn(state, (turn) => ({
          ...turn,
          delivered: true,
          content: null,
        })),
        inject: false,
        forgotten: 0,
        brief: false,
      };
    case "session.prompt.requeued":
      return requeued(state, event);
    case "session.prompt.cancelled":
      return withdraw(state, event.data.prompt_id);
    case "session.prompt.uncertain":
      return leaveTurn(
        state,
        event.data.prompt_id,
        event.data.turn,
        "uncertain",
      );
    case "session.prompt.resolved":
      return {
        ...state,
        unresolved: state.unresolved.filter(
          (p) => p.id !== event.data.prompt_id,
        ),
        replacement: replacementOf(state, event.data),
        continuations: isContinuation(state, event.data)
          ? state.continuations + 1
          : state.continuations,
      };
    case "session.history.injected":
      return withLeftOut(
        inTurn(state, (turn) => ({ ...turn, told: true })),
        event.data.left_out ?? 0,
      );
    case "session.prompt.prepared": {
      const { restrictions } = event.data;
      return inTurn(state, (turn) => ({ ...turn, prepared: { restrictions } }));
    }

    case "session.turn.started":
      return startTurn(
        active(state, event),
        event.data.turn,
        event.data.prompt_id,
      );
    case "session.turn.cancel_requested":
      return inTurn(state, (turn) => ({ ...turn, cancelling: true }));
    case "session.turn.ended":
      return {
        ...spend(overTurn(active(state, event)), event.data.usage),
        usage: addUsage(state.usage, event.data.usage),
        last_message_id: event.data.last_message_id ?? null,
        continuations: 0,
      };
    case "session.turn.interrupted":
      return leaveTurn(
        state,
        event.data.prompt_id,
        event.data.turn,
        "interrupted",
        laterThan(event.at, event.data.limit?.resets_at ?? null),
      );

    case "session.message.added":
    case "session.message.updated":
    case "session.tool.updated":
      return said(state, event);
    case "session.usage":
      return heldContext(state, event.data);
    case "session.agent.update":
      return followMode(state, event.data);
    case "session.plan.updated":
    case "session.notice":
      return state;

    case "session.permission.requested":
    case "session.permission.answered":
    case "session.permission.delivered":
    case "session.permission.closed":
      return asked(state, event);
    case "session.instruction_files.recorded": {
      const { files: instruction_files } = event.data;
      const definition = { ...state.definition, instruction_files };
      return { ...state, definition };
    }
    case "session.workspace.shared":
      return { ...state, shared: true };
    case "session.checkpoint.requested":
      return { ...state, due: event.data };
    case "session.checkpoint.skipped":
      return withoutDue(state, event.data);
    case "session.checkpoint.saved":
    case "session.checkpoint.partial":
    case "session.checkpoint.failed":
      return captured(state, event.data.checkpoint);
    case "session.forked":
      return forked(state, event.data);
    case "session.rewind.requested":
      return {
        ...active(state, event),
        rewinding: event.data,
        due: { kind: "rewind", turn: turnStoodAt(state) },
      };
    case "session.rewound":
      return rewound(state, event.data);
    case "session.rewind.failed":
      return rewindFailed(state, event.data);
    case "session.handed_off":
      return {
        ...redefined(
          withoutMemory(active(state, event)),
          event.data.definition,
        ),
        abilities: event.data.abilities,
      };
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
