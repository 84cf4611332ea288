import { nearest } from "../../kit/data/nearest.ts";

/** ` Did you mean …?` with the name that is nearest to what was typed; nothing when none is near. */
export const didYouMean = (
  typed: string,
  names: readonly string[],
  show: (name: string) => string,
): string => {
  const meant = nearest(typed, names);
  return meant === undefined ? "" : ` Did you mean ${show(meant)}?`;
};
