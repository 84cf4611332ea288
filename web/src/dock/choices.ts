/** What can be chosen of an agent: its model, its mode. */
import {
  modelsIn,
  modesIn,
  type Offered,
  optionFor,
} from "../../../src/contract/agent/offered.ts";
import { legibleName } from "../words/legible.ts";

export interface Choosable {
  what: "model" | "mode";
  current: string | null;
  values: readonly { id: string; name: string }[];
  /** Changed, and in force only when the agent is started again. */
  isLater: boolean;
}

/** Nothing where there is no choice. */
export const choicesOf = (
  offered: Offered | null,
  atNextStart: readonly string[] = [],
): Choosable[] => {
  if (offered === null) return [];
  return (["model", "mode"] as const).flatMap((what) => {
    const choice = what === "model" ? modelsIn(offered) : modesIn(offered);
    if (choice === null || choice.values.length < 2) return [];
    const names = namesOf(offered, what);
    return [
      {
        what,
        current: choice.current,
        values: choice.values.map((id) => ({
          id,
          name: legibleName(names.get(id) ?? id),
        })),
        isLater: atNextStart.includes(what),
      },
    ];
  });
};

const namesOf = (
  offered: Offered,
  what: "model" | "mode",
): Map<string, string> => {
  const list = what === "model" ? offered.models : offered.modes;
  return new Map([
    ...(list?.available ?? []).map(({ id, name }) => [id, name] as const),
    ...(optionFor(offered, what)?.values ?? []).map(
      ({ value, name }) => [value, name] as const,
    ),
  ]);
};
