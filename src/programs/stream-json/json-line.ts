import { isDeeperThan } from "../../kit/data/json-depth.ts";

/** No CLI has a reason to nest deeper, and what does could not be written out again. */
const MAX_DEPTH = 100;

/** What a line holds, or undefined when it is no JSON. */
export const jsonOf = (line: string): unknown => {
  try {
    return isDeeperThan(Buffer.from(line), MAX_DEPTH)
      ? undefined
      : JSON.parse(line);
  } catch {
    return undefined;
  }
};
