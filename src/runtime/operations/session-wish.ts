import type { SessionId } from "../../contract/base/id.ts";
import { NoDraft } from "../../contract/event/draft.ts";
import {
  once as answerOnce,
  type Kept as KeptWith,
  type Shape,
  type Wish,
} from "../../journal/receipts.ts";
import type { State } from "../../session/state/state.ts";
import { type AgentOperation, attachAgent } from "./attach-agent.ts";
import type { OperationDeps } from "./operation-deps.ts";

export type Kept = KeptWith<State>;

/** What is asked, once for each key. What it changes is a session. */
export const once = <D, T>(
  deps: Pick<OperationDeps, "receipts" | "lanes">,
  wish: Wish<State, D, T>,
): Promise<T> => answerOnce(deps, wish);

/** What is asked of one session, once for each key: the effect is an event of that session, and is waited for. */
export const askSession = <T>(
  deps: OperationDeps,
  asked: {
    session: SessionId;
    key: string | undefined;
    /** The name of the operation, and what it is given. */
    request: { operation: AgentOperation } & Record<string, unknown>;
    answer: Shape<T>;
    /** Before its agent is attached. */
    prepare?: () => Promise<unknown>;
    begin: (kept: Kept) => Promise<unknown>;
    /** Instead of `begin`, when that was done by a server that is gone: what it had in memory alone. */
    again?: () => Promise<unknown>;
    finish: () => Promise<T>;
  },
): Promise<T> => {
  const { session, key, request, answer } = asked;
  const { prepare, begin, again, finish } = asked;
  return once(deps, {
    scope: session,
    key,
    request,
    draft: NoDraft,
    answer,
    begin: async (keep) => {
      await prepare?.();
      await attachAgent(deps, request.operation, session);
      await begin(keep(() => null));
      return null;
    },
    again: async () => {
      await again?.();
      await deps.recovery.touch(session);
    },
    finish,
  });
};
