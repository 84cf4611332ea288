import type { Restriction } from "../../../contract/agent/restriction.ts";
import {
  choiceOf,
  modelsIn,
  modesIn,
  type Offered,
  optionFor,
  withCurrent,
  withOption,
  withOptions,
} from "../../../contract/agent/offered.ts";
import { offeredIn } from "../../../contract/agent/offered-words.ts";
import type { Effect, Setup } from "../driver.ts";
import { describeError, type Said } from "./message.ts";
import { setMode, setModel, setOption } from "./outgoing.ts";
import { restriction, unsupported } from "./restrict.ts";
import { atStart, type Change, type Slot } from "./state.ts";

type Notice = Extract<Effect, { kind: "notice" }>;

/** What the agent does not offer: a restriction stops it, a notice is only shown. */
export interface Stopped {
  restriction: Restriction;
}
export const isStopped = (it: object): it is Stopped => "restriction" in it;

/**
 * What a session is set to once it is open. An agent forgets it with its process (Codex even falls back to another mode
 * when it loads), so it is set again every time. How that is said depends on what the agent offers: options, or the
 * older lists.
 */
export const changesFor = (
  setup: Setup,
  session_id: string,
  offer: Offered,
): { changes: Change[]; notices: Notice[] } | Stopped => {
  const never = unsupported(setup);
  if (never !== null) return { restriction: never };
  const mode = modeChange(setup, session_id, offer, atStart);
  if (mode !== null && isStopped(mode)) return mode;
  const model = modelAtStart(setup, session_id, offer);
  if (model !== null && isStopped(model)) return model;
  const isTold = model !== null && "kind" in model;
  return {
    changes: [
      ...[isTold ? null : model, mode].filter((change) => change !== null),
      ...optionChanges(setup, session_id, offer, atStart),
    ],
    notices: isTold ? [model] : [],
  };
};

const modelAtStart = (
  setup: Setup,
  sessionId: string,
  offer: Offered,
): Change | Notice | Stopped | null => {
  const change = modelChange(setup, sessionId, offer, atStart);
  if (change === null || !isStopped(change)) return change;
  if (setup.agent.hasModel === true) return null;
  return setup.definition.model_fallback === true
    ? notice(
        "model_not_applied",
        `The agent offers no choice of models: it runs with its own, and not with ${change.restriction.asked}.`,
      )
    : change;
};

/** The model that the definition asks for. */
export const modelChange = (
  setup: Setup,
  sessionId: string,
  offer: Offered,
  slot: Slot,
): Change | Stopped | null => {
  const { model } = setup.definition;
  if (model === undefined) return null;
  const option = optionFor(offer, "model");
  const isListed =
    offer.models?.available.some(({ id }) => id === model) === true;
  const key = "model";
  // Codex lists models with their effort, and offers them without.
  if (
    option !== undefined &&
    (choiceOf(option)?.values.includes(model) === true || !isListed)
  )
    return {
      key,
      what: "model",
      value: model,
      configId: option.id,
      message: setOption(setup, slot(key), sessionId, option, model),
    };
  return offer.models === null
    ? { restriction: restriction("model", model, "not_supported") }
    : {
        key,
        what: "model",
        value: model,
        message: setModel(setup, slot(key), sessionId, model),
      };
};

/** The mode that the session's definition asks for, or the one that the person's own configuration stands for. */
export const modeChange = (
  setup: Setup,
  sessionId: string,
  offer: Offered,
  slot: Slot,
): Change | Stopped | null => {
  const defined = definedMode(setup);
  if (defined === null) return null;
  const values = modesIn(offer)?.values ?? [];
  const value =
    values.length === 0
      ? defined.modes[0]
      : defined.modes
          .map((mode) => offeredMode(mode, values))
          .find((mode) => mode !== undefined);
  if (value === undefined)
    return {
      restriction: restriction(
        defined.what,
        defined.asked,
        defined.modes.length === 0 ? "not_supported" : "not_offered",
        values,
      ),
    };
  const key = "mode";
  const option = offer.modes === null ? optionFor(offer, "mode") : undefined;
  return option === undefined
    ? {
        key,
        what: "mode",
        value,
        message: setMode(setup, slot(key), sessionId, value),
      }
    : {
        key,
        what: "mode",
        value,
        configId: option.id,
        message: setOption(setup, slot(key), sessionId, option, value),
      };
};

/** Copilot's modes are addresses: what follows the `#` names one as well. */
const offeredMode = (
  asked: string,
  values: readonly string[],
): string | undefined =>
  values.find((value) => value === asked) ??
  values.find((value) => value.endsWith(`#${asked}`));

const definedMode = ({
  definition: { mode },
  agent: { ownMode },
}: Setup): {
  what: "mode" | "configuration";
  asked: string;
  modes: readonly string[];
} | null => {
  if (mode !== undefined) return { what: "mode", asked: mode, modes: [mode] };
  return ownMode == null ? null : { what: "configuration", ...ownMode };
};

/** Whether they are offered shows when it is their turn: another model may bring other options. */
export const optionChanges = (
  setup: Setup,
  sessionId: string,
  { options }: Offered,
  slot: Slot,
): Change[] =>
  Object.entries(setup.definition.options ?? {}).map(([id, value], index) => {
    const key = `option.${index}`;
    const option = options.find((each) => each.id === id) ?? { id };
    return {
      key,
      what: "option",
      value,
      configId: id,
      message: setOption(setup, slot(key), sessionId, option, value),
    };
  });

/** What keeps an option from being set with what the agent offers by now. */
export const notOffered = (
  { what, configId, value }: Change,
  { options, shortened }: Offered,
): Restriction | null => {
  if (what !== "option" || shortened === true) return null;
  const option = options.find(({ id }) => id === configId);
  const asked = `${configId}=${value}`;
  if (option === undefined)
    return restriction(
      "option",
      asked,
      options.length === 0 ? "not_supported" : "not_offered",
      options.map(({ id }) => id),
    );
  const values = choiceOf(option)?.values ?? [];
  return values.includes(value)
    ? null
    : restriction("option", asked, "not_offered", values);
};

/** What came of a change: what is offered and chosen now, and what there is to tell. */
export const afterAnswer = (
  setup: Setup,
  change: Change,
  offer: Offered,
  said: Said,
): { offer: Offered; notices: Notice[] } | Stopped => {
  const { what, value } = change;
  if (said.kind !== "answer") {
    const words = said.kind === "refusal" ? describeError(said.error) : null;
    return what === "model" && setup.definition.model_fallback === true
      ? {
          offer,
          notices: [
            notice(
              "model_refused",
              `The agent refused the model ${value}: ${words ?? "no answer"}`,
            ),
          ],
        }
      : { restriction: refused(setup, change, offer, "refused", words) };
  }
  const after = chosenIn(offer, change, said.result);
  return isConfirmed(change, after)
    ? { offer: after, notices: [] }
    : { restriction: refused(setup, change, offer, "not_confirmed", null) };
};

/** A model may have several names; a mode, or the value of an option, has one. */
const isConfirmed = (
  { what, configId, value }: Change,
  offer: Offered,
): boolean => {
  if (what === "model") return true;
  if (what === "mode") return modesIn(offer)?.current === value;
  return offer.options.some(
    ({ id, current }) => id === configId && current === value,
  );
};

const refused = (
  setup: Setup,
  { what, value, configId }: Change,
  offer: Offered,
  reason: Restriction["reason"],
  message: string | null,
): Restriction => {
  if (what === "model") {
    const values = modelsIn(offer)?.values ?? [];
    return restriction(what, value, reason, values, message);
  }
  if (what === "option") {
    const option = offer.options.find(({ id }) => id === configId);
    const values = choiceOf(option)?.values ?? [];
    return restriction(what, `${configId}=${value}`, reason, values, message);
  }
  const defined = definedMode(setup);
  return restriction(
    defined?.what ?? what,
    defined?.asked ?? value,
    reason,
    modesIn(offer)?.values ?? [],
    message,
  );
};

/** An answer to a changed option tells all options anew. Any other yes stands for the value that was asked for. */
const chosenIn = (offer: Offered, change: Change, result: unknown): Offered => {
  const { configId } = change;
  if (configId === undefined) return chosen(offer, change);
  const { options } = offeredIn(result);
  const isTold = options.some(
    ({ id, current }) => id === configId && current !== "",
  );
  return isTold ? withOptions(offer, options) : chosen(offer, change);
};

/** With the value that was asked for in force. */
export const chosen = (
  offer: Offered,
  { what, value, configId }: Pick<Change, "what" | "value" | "configId">,
): Offered => {
  if (configId !== undefined)
    return withOptions(offer, withOption(offer, configId, value).options);
  if (what === "option") return offer;
  const list = what === "mode" ? "modes" : "models";
  const told = withCurrent(offer, what, value);
  return { ...told, [list]: told[list] ?? { available: [], current: value } };
};

const notice = (code: string, text: string): Notice => ({
  kind: "notice",
  code,
  text,
});
