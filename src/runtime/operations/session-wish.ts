import { z } from "zod";
import type { SessionId } from "../../contract/id.ts";
import { once, type Kept } from "../once.ts";
import type { House } from "./house.ts";

/** What is asked of one session, once for each key: the effect is an event of that session, and is waited for. */
export const askSession = <T>(
  house: House,
  asked: {
    session: SessionId;
    key: string | undefined;
    /** The name of the operation, and what it is given. */
    request: { operation: string } & Record<string, unknown>;
    answer: z.ZodType<T>;
    begin: (kept: Kept) => Promise<unknown>;
    finish: () => Promise<T>;
  },
): Promise<T> => {
  const { session, key, request, answer, begin, finish } = asked;
  return once(house, {
    scope: session,
    key,
    request,
    session,
    draft: z.null(),
    answer,
    begin: async (keep) => {
      await begin(keep(() => null));
      return null;
    },
    finish,
  });
};
