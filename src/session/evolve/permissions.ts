/** What becomes of permission requests: they wait for an answer, then the answer waits for the agent, or they are closed. */
import type { PermissionId } from "../../contract/base/id.ts";
import type { EventOf } from "../../contract/event/event.ts";
import { valueOf, withEntry, without } from "../../kit/data/persistent-map.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { Permissions, State } from "../state/state.ts";
import { runningTurn } from "../state/turns.ts";
import { active } from "./lifecycle.ts";
import { begun } from "./turn.ts";

/** How many may wait for an answer at a time. All of them are shown with the session. */
export const MAX_PENDING = 100;

export const asked = (
  state: State,
  event: EventOf<
    | "session.permission.requested"
    | "session.permission.answered"
    | "session.permission.delivered"
    | "session.permission.closed"
  >,
): State => {
  const { pending, answers } = state.permissions;
  switch (event.type) {
    case "session.permission.requested":
      return {
        ...begun(active(state, event)),
        permissions: {
          answers,
          pending: [
            ...pending,
            { ...event.data.permission, asked_at: event.at },
          ],
        },
      };
    case "session.permission.answered": {
      const { id, option_id } = event.data;
      return {
        ...active(state, event),
        permissions: {
          pending: pending.filter((each) => each.id !== id),
          answers: withEntry(answers, id, { id, option_id }),
        },
      };
    }
    case "session.permission.delivered":
      return {
        ...state,
        permissions: { pending, answers: without(answers, event.data.id) },
      };
    case "session.permission.closed": {
      const { id, reason } = event.data;
      return {
        ...state,
        permissions: {
          pending: pending.filter((each) => each.id !== id),
          // Nobody else tells the agent that there will be no answer: what it asked before the cancellation is answered with that.
          answers:
            reason === "too_many" ||
            (reason === "cancelled" && runningTurn(state)?.cancelling === true)
              ? withEntry(answers, id, { id, option_id: null })
              : without(answers, id),
        },
      };
    }
    default:
      return unreachable(event);
  }
};

/** No request waits for an answer, and no answer waits for the agent. */
export const isNothingAsked = ({ pending, answers }: Permissions): boolean =>
  pending.length === 0 && answers.size === 0;

/** Whether an answer to it is on its way to the agent. */
export const isAnswerUnderWay = (
  { answers }: Permissions,
  id: PermissionId,
): boolean => valueOf(answers, id) !== undefined;
