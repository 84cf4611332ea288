import type { Effect, Setup } from "../driver.ts";
import { describeError, type Said } from "./message.ts";
import type { Offer } from "./offer.ts";
import { setMode, setModel, setOption } from "./outgoing.ts";
import type { Wish } from "./state.ts";

type Notice = Extract<Effect, { kind: "notice" }>;

/**
 * What a session is set to once it is open. An agent forgets it with its process (Codex even falls back to another mode
 * when it loads), so it is set again every time. How that is said depends on what the agent offers: options, or the
 * older lists.
 */
export const wishesFor = (
  setup: Setup,
  session_id: string,
  offer: Offer,
): { wishes: Wish[]; notices: Notice[] } => {
  const { model, mode, settings } = setup.definition;
  const byModel =
    model === undefined ? null : modelWish(setup, session_id, model, offer);
  const byMode =
    mode === undefined ? null : modeWish(setup, session_id, mode, offer);
  return {
    wishes: [byModel, byMode].filter((wish) => wish !== null),
    notices: [
      ...(model !== undefined &&
      byModel === null &&
      setup.agent.hasModel !== true
        ? [
            notice(
              "model_not_applied",
              `The agent offers no choice of models: it runs with its own, and not with ${model}.`,
            ),
          ]
        : []),
      ...(settings !== undefined && setup.agent.settings !== true
        ? [
            notice(
              "settings_not_applied",
              "The agent takes no settings from us: it runs with those it finds.",
            ),
          ]
        : []),
    ],
  };
};

const modelWish = (
  setup: Setup,
  sessionId: string,
  model: string,
  { options, models }: Offer,
): Wish | null => {
  const option = options.find(({ category }) => category === "model");
  const isListed = models?.includes(model) === true;
  // Codex lists models with their effort, and offers them without.
  if (option !== undefined && (option.values.includes(model) || !isListed))
    return wish(
      "model",
      setOption(setup, "model", {
        sessionId,
        configId: option.id,
        value: model,
      }),
    );
  if (models !== null) return wish("model", setModel(setup, sessionId, model));
  return null;
};

const modeWish = (
  setup: Setup,
  sessionId: string,
  mode: string,
  { options, modes }: Offer,
): Wish => {
  const option = options.find(({ category }) => category === "mode");
  return wish(
    "mode",
    modes || option === undefined
      ? setMode(setup, sessionId, mode)
      : setOption(setup, "mode", {
          sessionId,
          configId: option.id,
          value: mode,
        }),
  );
};

const wish = (what: Wish["what"], message: Wish["message"]): Wish => ({
  what,
  message,
});

/** A refusal is no failure: the agent works as it would have without the wish, and that is said. */
export const refusalOf = (
  { definition }: Setup,
  { what }: Wish,
  said: Said,
): Notice[] =>
  said.kind === "refusal"
    ? [
        notice(
          `${what}_refused`,
          `The agent refused the ${what} ${definition[what]}: ${describeError(said.error)}`,
        ),
      ]
    : [];

const notice = (code: string, text: string): Notice => ({
  kind: "notice",
  code,
  text,
});
