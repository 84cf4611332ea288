import type { Changes } from "../runtime/ports/store.ts";

/** Whether nothing can be told behind a number, and how far a page reaches that may have more behind it. */
export const reachOf = (
  { after, limit }: { after: number; limit: number },
  found: { last: number; forgotten: number; numbers: readonly number[] },
): Pick<Changes, "next" | "last" | "isReset"> => {
  const { last, forgotten, numbers } = found;
  const isReset = after > last || after < forgotten;
  const next = numbers.length < limit ? last : (numbers.at(-1) ?? last);
  return { next: isReset ? last : next, last, isReset };
};
