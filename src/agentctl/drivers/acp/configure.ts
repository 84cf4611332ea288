import * as z from "zod";
import type { Restriction } from "../../../contract/agent/restriction.ts";
import type { Effect, Setup } from "../driver.ts";
import { describeError, type Said } from "./message.ts";
import { modelsIn, modesIn, type Offer, offerOf, optionFor } from "./offer.ts";
import { setMode, setModel, setOption } from "./outgoing.ts";
import { restriction, unsupported } from "./restrict.ts";
import type { Change } from "./state.ts";

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
  offer: Offer,
): { changes: Change[]; notices: Notice[] } | Stopped => {
  const never = unsupported(setup);
  if (never !== null) return { restriction: never };
  const mode = modeChange(setup, session_id, offer);
  if (mode !== null && isStopped(mode)) return mode;
  const model = modelChange(setup, session_id, offer);
  if (model !== null && isStopped(model)) return model;
  const isTold = model !== null && "kind" in model;
  return {
    changes: [isTold ? null : model, mode].filter((change) => change !== null),
    notices: isTold ? [model] : [],
  };
};

const modelChange = (
  setup: Setup,
  sessionId: string,
  offer: Offer,
): Change | Notice | Stopped | null => {
  const { model } = setup.definition;
  if (model === undefined) return null;
  const option = optionFor(offer, "model");
  const isListed = offer.models?.values.includes(model) === true;
  // Codex lists models with their effort, and offers them without.
  if (option !== undefined && (option.values.includes(model) || !isListed))
    return {
      what: "model",
      value: model,
      message: setOption(setup, "model", {
        sessionId,
        configId: option.id,
        value: model,
      }),
    };
  if (offer.models !== null)
    return {
      what: "model",
      value: model,
      message: setModel(setup, sessionId, model),
    };
  if (setup.agent.hasModel === true) return null;
  return setup.definition.model_fallback === true
    ? notice(
        "model_not_applied",
        `The agent offers no choice of models: it runs with its own, and not with ${model}.`,
      )
    : { restriction: restriction("model", model, "not_supported") };
};

/** The mode that the session's definition asks for, or the one that the person's own configuration stands for. */
const modeChange = (
  setup: Setup,
  sessionId: string,
  offer: Offer,
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
  const option = offer.modes === null ? optionFor(offer, "mode") : undefined;
  const message =
    option === undefined
      ? setMode(setup, sessionId, value)
      : setOption(setup, "mode", { sessionId, configId: option.id, value });
  return { what: "mode", value, message };
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

/** What came of a change: what is offered and chosen now, and what there is to tell. */
export const afterAnswer = (
  setup: Setup,
  change: Change,
  offer: Offer,
  said: Said,
): { offer: Offer; notices: Notice[] } | Stopped => {
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
  // A model may have several names, a mode has one.
  return what === "mode" && modesIn(after)?.current !== value
    ? { restriction: refused(setup, change, offer, "not_confirmed", null) }
    : { offer: after, notices: [] };
};

const refused = (
  setup: Setup,
  { what, value }: Change,
  offer: Offer,
  reason: Restriction["reason"],
  message: string | null,
): Restriction => {
  if (what === "model")
    return restriction(
      what,
      value,
      reason,
      modelsIn(offer)?.values ?? [],
      message,
    );
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
const chosenIn = (offer: Offer, change: Change, result: unknown): Offer => {
  const { what, value, message } = change;
  const { configId } = Params.parse(message.body["params"]);
  if (configId === undefined)
    return {
      ...offer,
      ...(what === "mode"
        ? { modes: { values: offer.modes?.values ?? [], current: value } }
        : { models: { values: offer.models?.values ?? [], current: value } }),
    };
  const { options } = offerOf(result);
  const isTold = options.some(
    ({ id, current }) => id === configId && current !== null,
  );
  return {
    ...offer,
    options: isTold
      ? options
      : offer.options.map((option) =>
          option.id === configId ? { ...option, current: value } : option,
        ),
  };
};

const Params = z.object({ configId: z.string().optional() });

const notice = (code: string, text: string): Notice => ({
  kind: "notice",
  code,
  text,
});
