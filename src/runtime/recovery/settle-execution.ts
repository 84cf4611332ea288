import type { PlaceId } from "../../contract/base/id.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { AgentctlFacts } from "../../session/state/agentctl.ts";
import { executionStep } from "../../session/resume/resume.ts";
import type { Execution } from "../../session/state/execution.ts";
import type { State } from "../../session/state/state.ts";
import type { ExecutionSeen } from "../../session/state/world-report.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import { addressOf, factsOf } from "../places/agentctl-health.ts";
import type { Place } from "../ports/executors.ts";
import type { RecoveryDeps } from "./recovery-deps.ts";
import { tellAgentctl } from "./tell-agentctl.ts";

type Known = Awaited<ReturnType<Place["executions"]>>[number];

/** Does with a session's execution what the resume decision says. Whether its agent is alive and heard again. */
export const settleExecution = async (
  deps: RecoveryDeps,
  place: Place,
  known: readonly Known[],
  state: State,
): Promise<boolean> => {
  const { execution } = state;
  if (execution === null) return false;
  const seen = seenIn(known, place.placeId, execution);
  const step = executionStep(execution, seen);
  switch (step) {
    case "launch":
      await tellReached(deps, place, state);
      return false;
    case "lose":
      await tellReached(deps, place, state);
      await deps.engine.issue(state.id, {
        type: "execution.lose",
        epoch: execution.epoch,
        ...(seen === "unknown_at_another_place" && {
          reason: "place_replaced",
        }),
      });
      return false;
    case "conclude":
      deps.endings.begin(state.id, execution.id);
      await attach(deps, place, state, execution);
      return false;
    case "attach":
      await attach(deps, place, state, execution);
      return true;
    case "reattach":
      await reattach(deps, place, state, execution);
      return true;
    default:
      return unreachable(step);
  }
};

/** A place that knows the execution is the one it was started at, whatever id it has now. */
const seenIn = (
  known: readonly Known[],
  placeId: PlaceId | null,
  { id, place_id }: Execution,
): ExecutionSeen => {
  const mine = known.find(({ execution_id }) => execution_id === id);
  if (mine !== undefined) return mine.alive ? "alive" : "ended";
  return isAnother(placeId, place_id) ? "unknown_at_another_place" : "unknown";
};

/** An agentctl of an older release has no id. */
const isAnother = (found: PlaceId | null, before: PlaceId | null): boolean =>
  found !== null && before !== null && found !== before;

/** It is on its way up or out: that agentctl was reached is told before what the agent says. */
const attach = async (
  deps: RecoveryDeps,
  place: Place,
  state: State,
  execution: Execution,
): Promise<void> => {
  deps.places.expect(execution.id, state.id);
  const isFirst = await deps.attachments.once(place, execution.id, async () => {
    await tellReached(deps, place, state);
    await reportFromOffset(place, execution);
  });
  if (!isFirst) await tellReady(deps, place, state);
};

/** agentctl is asked everything at once, and what is told of it is one append. */
const reattach = async (
  deps: RecoveryDeps,
  place: Place,
  state: State,
  execution: Execution,
): Promise<void> => {
  const { id, epoch } = execution;
  const started = performance.now();
  deps.places.expect(id, state.id);
  const [agentctl, isFirst] = await Promise.all([
    knownFacts(deps, place, state),
    deps.attachments.once(place, id, () => reportFromOffset(place, execution)),
  ]);
  if (!isFirst)
    return tellAgentctl(deps, state, { status: "ready", facts: agentctl });
  const took_ms = performance.now() - started;
  await deps.engine.issue(state.id, {
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

const tellReached = (
  deps: RecoveryDeps,
  place: Place,
  state: State,
): Promise<void> => tell(deps, place, state, "reached");

const tellReady = (
  deps: RecoveryDeps,
  place: Place,
  state: State,
): Promise<void> => tell(deps, place, state, "ready");

/** Says that agentctl was reached again, or that it is there. */
const tell = async (
  deps: RecoveryDeps,
  place: Place,
  state: State,
  status: "reached" | "ready",
): Promise<void> => {
  const facts = await knownFacts(deps, place, state);
  return tellAgentctl(deps, state, { status, facts });
};

/** An agentctl that cannot tell what it can do is there all the same: no agent goes unheard for that. */
const knownFacts = async (
  deps: RecoveryDeps,
  place: Place,
  state: State,
): Promise<AgentctlFacts> => {
  try {
    return await factsOf(deps, place, state);
  } catch (error) {
    if (isLinkLost(error)) throw error;
    return addressOf(place);
  }
};
