import type {
  ExecutionId,
  PlaceId,
  SessionId,
} from "../../contract/base/id.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { AgentctlFacts } from "../../session/state/agentctl.ts";
import { executionStep } from "../../session/resume/resume.ts";
import type { Execution } from "../../session/state/execution.ts";
import type { State } from "../../session/state/state.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import { addressOf } from "../places/agentctl-health.ts";
import type { Attachments } from "../places/attachments.ts";
import type { Engine } from "../sessions/session-journal.ts";
import type { Places } from "../places/places.ts";
import type { Place } from "../ports/executors.ts";

interface Parts {
  engine: Engine;
  places: Places;
  attachments: Attachments;
  /** It is known to be gone, and what it said last is going to be taken in. */
  onEnding: (session: SessionId, id: ExecutionId) => void;
  /** What agentctl says of itself and can do for the session. */
  factsOf: (place: Place, state: State) => Promise<AgentctlFacts>;
  /** Says that agentctl was reached again, or that it is there. */
  tell: (
    state: State,
    status: "reached" | "ready",
    facts: AgentctlFacts,
  ) => Promise<void>;
}

type Known = Awaited<ReturnType<Place["executions"]>>[number];

/** Does with a session's execution what the resume decision says. Whether its agent is alive and heard again. */
export const settleExecution = async (
  parts: Parts,
  place: Place,
  known: readonly Known[],
  state: State,
): Promise<boolean> => {
  const { execution } = state;
  if (execution === null) return false;
  const seen = seenIn(known, execution.id);
  // A place that knows the execution is the one it was started at, whatever id it has now.
  const isReplaced =
    seen === "unknown" && isAnother(place.placeId, execution.place_id);
  const step = isReplaced ? "lose" : executionStep(execution, seen);
  switch (step) {
    case "launch":
      await tellReached(parts, place, state);
      return false;
    case "lose": {
      await tellReached(parts, place, state);
      const { epoch } = execution;
      await parts.engine.issue(state.id, {
        type: "execution.lose",
        epoch,
        ...(isReplaced && { reason: "place_replaced" }),
      });
      return false;
    }
    case "conclude":
      parts.onEnding(state.id, execution.id);
      await attach(parts, place, state, execution);
      return false;
    case "attach":
      await attach(parts, place, state, execution);
      return true;
    case "reattach":
      await reattach(parts, place, state, execution);
      return true;
    default:
      return unreachable(step);
  }
};

/** An agentctl of an older release has no id. */
const isAnother = (found: PlaceId | null, known: PlaceId | null): boolean =>
  found !== null && known !== null && found !== known;

const seenIn = (known: readonly Known[], id: ExecutionId) => {
  const mine = known.find(({ execution_id }) => execution_id === id);
  if (mine === undefined) return "unknown";
  return mine.alive ? "alive" : "ended";
};

/** It is on its way up or out: that agentctl was reached is told before what the agent says. */
const attach = async (
  parts: Parts,
  place: Place,
  state: State,
  execution: Execution,
): Promise<void> => {
  parts.places.expect(execution.id, state.id);
  const isFirst = await parts.attachments.once(
    place,
    execution.id,
    async () => {
      await tellReached(parts, place, state);
      await reportFromOffset(place, execution);
    },
  );
  if (!isFirst) await tellReady(parts, place, state);
};

/** agentctl is asked everything at once, and what is told of it is one append. */
const reattach = async (
  parts: Parts,
  place: Place,
  state: State,
  execution: Execution,
): Promise<void> => {
  const { id, epoch } = execution;
  const started = performance.now();
  parts.places.expect(id, state.id);
  const [agentctl, isFirst] = await Promise.all([
    knownFacts(parts, place, state),
    parts.attachments.once(place, id, () => reportFromOffset(place, execution)),
  ]);
  if (!isFirst) return parts.tell(state, "ready", agentctl);
  const took_ms = performance.now() - started;
  await parts.engine.issue(state.id, {
    type: "execution.reattach",
    epoch,
    took_ms,
    agentctl,
  });
};

const reportFromOffset = (
  place: Place,
  { id, epoch, offset }: Execution,
): Promise<void> => place.attach({ execution_id: id, epoch, from: offset });

const tellReached = async (
  parts: Parts,
  place: Place,
  state: State,
): Promise<void> =>
  parts.tell(state, "reached", await knownFacts(parts, place, state));

const tellReady = async (
  parts: Parts,
  place: Place,
  state: State,
): Promise<void> =>
  parts.tell(state, "ready", await knownFacts(parts, place, state));

/** An agentctl that cannot tell what it can do is there all the same: no agent goes unheard for that. */
const knownFacts = async (
  { factsOf }: Parts,
  place: Place,
  state: State,
): Promise<AgentctlFacts> => {
  try {
    return await factsOf(place, state);
  } catch (error) {
    if (isLinkLost(error)) throw error;
    return addressOf(place);
  }
};
