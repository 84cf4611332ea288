/**
 * What happens when a server starts, after whatever end the last one had. All places are looked after side by side. At each,
 * the executions that the journal has are compared with those that agentctl knows; `executionStep` says what to do:
 *
 *   the agent                   step       what is done              what becomes of the session
 *   lives and takes prompts     reattach   attach, then command      goes on where it was; graded `reattached`
 *                                          `execution.reattach`
 *   lives, starts or stops      attach     attach                    goes on when the agent says that it is ready or gone
 *   has died                    conclude   attach: it says its       its turn is interrupted; WAITING_FOR_INPUT, or PAUSED
 *                                          last words and its end    or ended where it was on its way there
 *   was never started           launch     the intent `launch` is    STARTING, until the agent is ready
 *                                          pursued again
 *   is known to nobody          lose       `execution.lose`          as if it had died, and nobody knows how (`vanished`)
 *
 * agentctl dead: `Places.obtain` starts another one. It finds the agents and their files, and answers as above. Where none can
 * be had, sessions are told (`agentctl.report`), stay as they are, and the place is tried again (`regainPlace`).
 *
 * Workspace gone: nothing of this needs it. It is looked at when an agent is started again: `decideStart` has it restored from a
 * checkpoint, or the session gets ERROR with `workspace_missing`.
 *
 * A session without an execution that is to be started, captured or rewound has an intent for that, which is pursued. Then,
 * as the mode says (`startUpPlans`), agents whose turn was cut off are brought back, and those of idle sessions.
 */
import { setTimeout as delay } from "node:timers/promises";
import { placeKey } from "../../contract/base/place.ts";
import { bringBackCutOff } from "./bring-back-cut-off.ts";
import { bringBackIdle } from "./bring-back-idle.ts";
import { byPlace, type PlaceGroup } from "./by-place.ts";
import type { RecoveryDeps } from "./recovery-deps.ts";
import type { StartUpPlan } from "./recovery-mode.ts";
import { regainPlace } from "./regain-place.ts";
import { type Alive, tryToSettle } from "./settle-place.ts";
import { unsettledSessions } from "./unsettled-sessions.ts";

/** Resolves with how many agents run at the places that answer in time. At the others it goes on when they answer (REC-58). */
export const startUp = async (
  deps: RecoveryDeps,
  plan: StartUpPlan,
  placesMs: number,
): Promise<{ running: number }> => {
  if (!plan.settles) return { running: 0 };
  const groups = byPlace(await unsettledSessions(deps));
  const recoveries = groups.map((group) => recoverPlace(deps, group));
  for (const { states, settled } of recoveries)
    deps.follow(
      settled.then((alive) => {
        if (plan.bringsBackCutOff) bringBackAllCutOff(deps, states, alive);
      }),
    );
  const running = await countRunning(deps, recoveries, placesMs);
  if (plan.bringsBackIdle) {
    const settled = new Map(
      recoveries.map((each) => [placeKey(each.at), each.settled]),
    );
    deps.follow(bringBackIdle(deps, settled));
  }
  return { running };
};

interface PlaceRecovery extends PlaceGroup {
  /** What the first try found; null where the place could not be had. */
  firstTry: Promise<Alive | null>;
  /** What was found once the place could be had. */
  settled: Promise<Alive>;
}

const recoverPlace = (
  deps: RecoveryDeps,
  { at, states }: PlaceGroup,
): PlaceRecovery => {
  const firstTry = tryToSettle(deps, at, states);
  const settled = firstTry.then((alive) => {
    if (alive !== null) return alive;
    // Those that have no agent yet need not wait for the others: `begin` asks for agentctl, and fails with its reason.
    deps.intents.startOver(
      states.filter(({ execution }) => execution === null),
    );
    return regainPlace(deps, at);
  });
  return { at, states, firstTry, settled };
};

const countRunning = async (
  { closing, log }: RecoveryDeps,
  recoveries: readonly PlaceRecovery[],
  placesMs: number,
): Promise<number> => {
  const over = new AbortController();
  const late = delay(placesMs, LATE, { signal: over.signal }).catch(() => LATE);
  const found = recoveries.map(async ({ at, firstTry }) => {
    const first = firstTry.catch((error: unknown) => {
      if (closing.aborted) return null;
      throw error;
    });
    const alive = await Promise.race([first, late]);
    if (alive === LATE)
      log.warn({ place: at }, "does not answer; recovery goes on when it does");
    return alive === LATE ? 0 : (alive?.size ?? 0);
  });
  try {
    return (await Promise.all(found)).reduce((sum, each) => sum + each, 0);
  } finally {
    over.abort();
  }
};

const LATE = "late" as const;

const bringBackAllCutOff = (
  deps: RecoveryDeps,
  states: PlaceGroup["states"],
  alive: Alive,
): void => {
  for (const { id, lifecycle } of states)
    if (lifecycle.name === "RUNNING" && !alive.has(id))
      deps.follow(bringBackCutOff(deps, id));
};
