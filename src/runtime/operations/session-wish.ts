import type { SessionId } from "../../contract/id.ts";
import { NoDraft } from "../../contract/draft.ts";
import { once, type Kept, type Shape } from "./once.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** What is asked of one session, once for each key: the effect is an event of that session, and is waited for. */
export const askSession = <T>(
  deps: OperationDeps,
  asked: {
    session: SessionId;
    key: string | undefined;
    /** The name of the operation, and what it is given. */
    request: { operation: string } & Record<string, unknown>;
    answer: Shape<T>;
    begin: (kept: Kept) => Promise<unknown>;
    /** Instead of `begin`, when that was done by a server that is gone: what it had in memory alone. */
    again?: () => Promise<unknown>;
    finish: () => Promise<T>;
  },
): Promise<T> => {
  const { session, key, request, answer, begin, again, finish } = asked;
  return once(deps, {
    scope: session,
    key,
    request,
    session,
    draft: NoDraft,
    answer,
    begin: async (keep) => {
      await begin(keep(() => null));
      return null;
    },
    ...(again !== undefined && { again }),
    finish,
  });
};
