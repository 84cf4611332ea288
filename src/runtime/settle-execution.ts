import type { ExecutionId, PlaceId, SessionId } from "../contract/id.ts";
import { unreachable } from "../kit/unreachable.ts";
import { executionStep } from "../session/resume.ts";
import type { Execution, State } from "../session/state.ts";
import type { Attachments } from "./attachments.ts";
import type { Engine } from "./engine.ts";
import type { Places } from "./places.ts";
import type { Place } from "./ports.ts";

interface Parts {
  engine: Engine;
  places: Places;
  attachments: Attachments;
  /** It is known to be gone, and what it said last is going to be taken in. */
  onEnding: (session: SessionId, id: ExecutionId) => void;
  /** Says that agentctl was reached again, and that it is there. */
  tellReached: (place: Place, state: State) => Promise<void>;
  tellReady: (place: Place, state: State) => Promise<void>;
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
  const isReplaced = isAnother(place.placeId, execution.place_id);
  const step = isReplaced
    ? "lose"
    : executionStep(execution, seenIn(known, execution.id));
  switch (step) {
    case "launch":
      await parts.tellReached(place, state);
      return false;
    case "lose": {
      await parts.tellReached(place, state);
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

/** Whether nobody was attached to it. */
const attach = async (
  { places, attachments, tellReached, tellReady }: Parts,
  place: Place,
  state: State,
  { id, epoch, offset }: Execution,
): Promise<boolean> => {
  places.expect(id, state.id);
  const isFirst = await attachments.once(place, id, async () => {
    await tellReached(place, state);
    await place.attach({ execution_id: id, epoch, from: offset });
  });
  if (!isFirst) await tellReady(place, state);
  return isFirst;
};

const reattach = async (
  parts: Parts,
  place: Place,
  state: State,
  execution: Execution,
): Promise<void> => {
  const started = performance.now();
  if (!(await attach(parts, place, state, execution))) return;
  await parts.engine.issue(state.id, {
    type: "execution.reattach",
    epoch: execution.epoch,
    took_ms: performance.now() - started,
  });
};
