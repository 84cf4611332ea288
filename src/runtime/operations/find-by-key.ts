/** What a call that is repeated finds again by its key alone, whatever session it went to. */
import type {
  MostRecentRequest,
  PromptPage,
} from "../../contract/api/find-route.ts";
import { MadeSession } from "../../contract/event/draft.ts";
import { LOCAL } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { Prompt } from "../../contract/session/prompt.ts";
import type { Session } from "../../contract/session/session.ts";
import { isTerminal, StateName } from "../../contract/session/state.ts";
import { answeredBefore, type Receipts } from "../../journal/receipts.ts";
import type { Lanes } from "../../kit/time/lanes.ts";
import type { ReceiptPage, Store } from "../ports/store.ts";
import { absolute } from "./workspace.ts";

interface Deps {
  store: Pick<Store, "sessions" | "prompt" | "receiptsOf">;
  receipts: Receipts;
  lanes: Lanes;
  show(id: Session["id"]): Promise<Session>;
}

export const findOperations = (deps: Deps) => ({
  /**
   * The choice is durable before it is answered. Whoever repeats the call gives its prompt to the same session, where the key
   * of the prompt keeps it from being given twice.
   */
  chooseMostRecent: async (
    request: MostRecentRequest,
    key?: string,
  ): Promise<Session> => {
    const asked = { ...request, cwd: absolute("cwd", request.cwd) };
    return key === undefined
      ? choose(deps, asked)
      : deps.lanes.run(`${SCOPE} ${key}`, () => chooseOnce(deps, asked, key));
  },

  /** All that was asked for with the key is looked through: it may have been anything. */
  findPrompts: async (key: string, after = ""): Promise<PromptPage> => {
    const prompts: Prompt[] = [];
    for (let from: string | null = after; from !== null;) {
      const page: ReceiptPage = await deps.store.receiptsOf(key, from);
      for (const { scope, answer } of page.receipts) {
        if (prompts.length === MOST) return { prompts, next: from };
        const given = Prompt.safeParse(parsed(answer)).data;
        const prompt =
          given && (await deps.store.prompt(given.session_id, given.id));
        if (prompt != null) prompts.push(prompt);
        from = scope;
      }
      from = page.next;
    }
    return { prompts, next: null };
  },
});

/** In one answer. */
const MOST = 100;

const SCOPE = "choices";

const chooseOnce = async (
  deps: Deps,
  request: MostRecentRequest,
  key: string,
): Promise<Session> => {
  const before = await answeredBefore(deps.receipts, SCOPE, key, request);
  if ("answer" in before)
    return deps.show(MadeSession.parse(JSON.parse(before.answer)).id);
  const session = await choose(deps, request);
  await deps.receipts.put(before.receipt({ id: session.id }));
  return session;
};

/** Sessions that may still be given a prompt. */
const OPEN = StateName.options.filter((name) => !isTerminal(name));

/** Sessions of tasks are left out: their task decides what they are asked. */
const choose = async (
  deps: Deps,
  { agent, cwd }: MostRecentRequest,
): Promise<Session> => {
  const { sessions } = await deps.store.sessions({
    agent,
    cwd: { place: LOCAL, path: cwd },
    states: OPEN,
    task_id: null,
    order: "wish",
    limit: 1,
  });
  const [session] = sessions;
  if (session !== undefined) return deps.show(session.id);
  throw new RepriseError(
    "session_not_found",
    `No session of the agent "${agent}" in ${cwd} can go on.`,
  );
};

/** Null for what is no answer yet. */
const parsed = (answer: string): unknown => {
  try {
    return JSON.parse(answer);
  } catch {
    return null;
  }
};
