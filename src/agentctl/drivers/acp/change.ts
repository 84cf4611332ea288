/**
 * Settings of an agent that runs. They are set one after the other, and each must be confirmed. When one does not hold,
 * those before it are set back, so that nothing was changed.
 *
 *     change ──► left[0] sent ──► confirmed ──► … ──► changed
 *        │              └── refused ──► undo[0] sent ──► … ──► change_refused
 *        └── it could not hold: change_refused, and nothing is sent
 */
import { bounded } from "../../../contract/agent/offered-words.ts";
import {
  choiceOf,
  modelsIn,
  modesIn,
  type Offered,
} from "../../../contract/agent/offered.ts";
import type { Restriction } from "../../../contract/agent/restriction.ts";
import type { Effect, Setup, Step, Want } from "../driver.ts";
import {
  afterAnswer,
  chosen,
  isStopped,
  modeChange,
  modelChange,
  notOffered,
  optionChanges,
  type Stopped,
} from "./configure.ts";
import type { Said } from "./message.ts";
import { send } from "./outgoing.ts";
import { inForce, unheld } from "./restrict.ts";
import type { AcpState, Change, Changing, Slot } from "./state.ts";

type Asked = Extract<Want, { kind: "change" }>;

export const wantChange = (
  setup: Setup,
  state: AcpState,
  session_id: string,
  want: Asked,
): Step<AcpState> => {
  const { changing, changes } = state;
  const isKnown =
    changing?.change === want.change ||
    changes.some(({ change }) => change === want.change);
  if (isKnown) return { state, effects: [] };
  return changing === null
    ? begin(setup, state, session_id, want)
    : { state: { ...state, changes: [...changes, want] }, effects: [] };
};

/** The answer to a change, or null when it is none. */
export const interpretChange = (
  setup: Setup,
  state: AcpState,
  session_id: string,
  what: string | null,
  said: Said,
): Step<AcpState> | null => {
  const { changing } = state;
  if (changing === null) return null;
  const isUndoing = changing.restriction !== null;
  const [next] = isUndoing ? changing.undo : changing.left;
  if (next === undefined || what !== slotOf(changing.change)(next.key).what)
    return null;
  return isUndoing
    ? afterUndo(setup, state, session_id, changing, said)
    : afterStep(setup, state, session_id, changing, next, said);
};

const begin = (
  setup: Setup,
  state: AcpState,
  session_id: string,
  want: Asked,
): Step<AcpState> => {
  const { change, definition, offered } = want;
  const plan = planOf(setup, session_id, want);
  if (isStopped(plan))
    return conclude(setup, state, session_id, {
      kind: "change_refused",
      change,
      restriction: plan.restriction,
    });
  return goOn(setup, state, session_id, {
    change,
    definition,
    left: plan,
    undo: [],
    offer: offered,
    restriction: null,
  });
};

/** What has to be sent, if all that the definition asks for could be held afterwards. */
const planOf = (
  setup: Setup,
  session_id: string,
  { change, asked, definition, offered }: Asked,
): Change[] | Stopped => {
  const slot = slotOf(change);
  const { model, mode, options = {} } = asked;
  const on = (settings: Setup["definition"]) => ({
    ...setup,
    definition: settings,
  });
  const only = on({ ...definition, options });
  const changes = [
    model === undefined ? null : modelChange(only, session_id, offered, slot),
    mode === undefined ? null : modeChange(only, session_id, offered, slot),
    ...optionChanges(only, session_id, offered, slot),
  ].filter((each) => each !== null);
  const left: Change[] = [];
  for (const each of changes)
    if (isStopped(each)) return each;
    else left.push(each);
  const expected = left.reduce((offer, each) => chosen(offer, each), offered);
  const restriction = unheld(on(definition), expected);
  return restriction === null ? left : { restriction };
};

const slotOf =
  (change: number): Slot =>
  (key) => ({
    what: `change.${change}.${key}`,
    purpose: { kind: "change", change, step: key },
  });

/** Sends the next step, or says what came of it all. */
const goOn = (
  setup: Setup,
  state: AcpState,
  session_id: string,
  changing: Changing,
): Step<AcpState> => {
  const { change, definition, left, offer } = changing;
  const [next] = left;
  const changed = { ...setup, definition };
  const restriction =
    next === undefined ? unheld(changed, offer) : notOffered(next, offer);
  if (restriction !== null)
    return undo(setup, state, session_id, { ...changing, restriction });
  if (next !== undefined)
    return { state: { ...state, changing }, effects: [send(next.message)] };
  return conclude(setup, state, session_id, {
    kind: "changed",
    change,
    applied: inForce(changed, offer),
    offered: bounded(offer),
  });
};

const afterStep = (
  setup: Setup,
  state: AcpState,
  session_id: string,
  changing: Changing,
  made: Change,
  said: Said,
): Step<AcpState> => {
  const { change, offer, left } = changing;
  const definition = { ...changing.definition, model_fallback: false };
  const after = afterAnswer({ ...setup, definition }, made, offer, said);
  const back = undoOf(setup, session_id, change, offer, made);
  if (!isStopped(after))
    return goOn(setup, state, session_id, {
      ...changing,
      left: left.slice(1),
      undo: [...back, ...changing.undo],
      offer: after.offer,
    });
  const { restriction } = after;
  // An agent that said yes and did something else is set back as well.
  const steps = restriction.reason === "not_confirmed" ? back : [];
  return undo(setup, state, session_id, {
    ...changing,
    undo: [...steps, ...changing.undo],
    restriction,
  });
};

/** What sets the value before it again, where that is known. */
const undoOf = (
  setup: Setup,
  session_id: string,
  change: number,
  offer: Offered,
  made: Change,
): Change[] => {
  const value = currentOf(offer, made);
  if (value === null) return [];
  const { what, configId } = made;
  const key = `undo.${made.key}`;
  const slot: Slot = () => slotOf(change)(key);
  const settings =
    what === "option"
      ? { options: { [configId ?? ""]: value } }
      : { [what]: value };
  const before = { ...setup, definition: { ...setup.definition, ...settings } };
  const back =
    what === "option"
      ? optionChanges(before, session_id, offer, slot)[0]
      : what === "mode"
        ? modeChange(before, session_id, offer, slot)
        : modelChange(before, session_id, offer, slot);
  return back == null || isStopped(back) ? [] : [{ ...back, key }];
};

const currentOf = (
  offer: Offered,
  { what, configId }: Change,
): string | null => {
  if (what === "mode") return modesIn(offer)?.current ?? null;
  if (what === "model") return modelsIn(offer)?.current ?? null;
  const option = offer.options.find(({ id }) => id === configId);
  return choiceOf(option)?.current ?? null;
};

const undo = (
  setup: Setup,
  state: AcpState,
  session_id: string,
  changing: Changing & { restriction: Restriction },
): Step<AcpState> => {
  const { change, restriction } = changing;
  const [next] = changing.undo;
  return next === undefined
    ? conclude(setup, state, session_id, {
        kind: "change_refused",
        change,
        restriction,
      })
    : { state: { ...state, changing }, effects: [send(next.message)] };
};

const afterUndo = (
  setup: Setup,
  state: AcpState,
  session_id: string,
  changing: Changing,
  said: Said,
): Step<AcpState> => {
  const { restriction, undo: steps } = changing;
  if (restriction === null) return { state, effects: [] };
  const [made, ...left] = steps;
  const step = undo(setup, state, session_id, {
    ...changing,
    restriction,
    undo: left,
  });
  return said.kind === "answer" || made === undefined
    ? step
    : {
        ...step,
        effects: [
          {
            kind: "notice",
            code: "change_not_undone",
            text: `The agent refused a change, and then to go back to the ${made.what} ${made.value}.`,
          },
          ...step.effects,
        ],
      };
};

/** The next change that waits is begun. */
const conclude = (
  setup: Setup,
  state: AcpState,
  session_id: string,
  outcome: Effect,
): Step<AcpState> => {
  const [next, ...changes] = state.changes;
  const after = { ...state, changing: null, changes };
  if (next === undefined) return { state: after, effects: [outcome] };
  const step = begin(setup, after, session_id, next);
  return { ...step, effects: [outcome, ...step.effects] };
};
