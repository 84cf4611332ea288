/** What an agent is set to, and what it offers. */
import type { Choices, Offered } from "../../contract/agent/offered.ts";
import type { InForce } from "../../contract/agent/restriction.ts";
import { oneLine } from "../terminal/sanitize.ts";

/** While a session is followed. */
export const settingsLine = ({ mode, model }: InForce): string => {
  const words = [
    ...(mode === null ? [] : [`mode ${oneLine(mode.value)}`]),
    ...(model === null ? [] : [`model ${oneLine(model.value)}`]),
  ];
  return ["── settings changed", words.join(", ")]
    .filter((part) => part !== "")
    .join(": ");
};

const MAX_SHOWN = 12;

/** What can be chosen, as options of `session set`; the one in force is marked. */
export const offeredFields = (
  offered: Offered | null,
): (readonly [name: string, value: string])[] => {
  if (offered === null) return [];
  const { modes, models, options } = offered;
  return [
    ...listed("--mode", modes),
    ...listed("--model", models),
    ...options.map(
      ({ id, current, values }) =>
        [
          "offers",
          `--option ${oneLine(id)}=${shown(
            values.map(({ value }) => value),
            current,
          )}`,
        ] as const,
    ),
  ];
};

const listed = (option: string, choices: Choices | null) =>
  choices === null || choices.available.length === 0
    ? []
    : [
        [
          "offers",
          `${option} ${shown(
            choices.available.map(({ id }) => id),
            choices.current,
          )}`,
        ] as const,
      ];

const shown = (values: readonly string[], current: string | null): string => {
  const words = values
    .slice(0, MAX_SHOWN)
    .map((value) => oneLine(value === current ? `${value}*` : value));
  const more = values.length - words.length;
  return [...words, ...(more > 0 ? [`… ${more} more`] : [])].join("|");
};
