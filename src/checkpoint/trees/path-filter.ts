import { pathsAbove, type ByteString } from "../format/byte-string.ts";
import type { Difference } from "./diff.ts";

/**
 * Whether a step is asked for: at one of these paths, beneath one, or a directory on the way to one that has to be made.
 * There may be tens of thousands of steps and of paths, so nothing is held against all of them.
 */
export const onlyAt = (
  only: readonly ByteString[],
): ((step: Difference) => boolean) => {
  const wanted = new Set(only);
  const above = new Set(only.flatMap(pathsAbove));
  return ({ path, before, after }) =>
    wanted.has(path) ||
    pathsAbove(path).some((each) => wanted.has(each)) ||
    (above.has(path) &&
      after?.kind === "directory" &&
      before?.kind !== "directory");
};

/**
 * Whether a step leaves these paths as they are: it is not at one of them, nor beneath one, and takes away no directory
 * that one of them is in.
 */
export const besidesAll = (
  except: readonly ByteString[],
): ((step: Difference) => boolean) => {
  const spared = new Set(except);
  const above = new Set(except.flatMap(pathsAbove));
  return ({ path, after }) =>
    !spared.has(path) &&
    !pathsAbove(path).some((each) => spared.has(each)) &&
    (after?.kind === "directory" || !above.has(path));
};
