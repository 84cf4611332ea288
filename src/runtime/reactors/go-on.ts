import type { PromptId, SessionId } from "../../contract/base/id.ts";
import type { Intent } from "../../session/intend.ts";
import type { NewPrompt } from "../../session/state/command.ts";
import { continuationOf } from "../../session/state/continuation.ts";
import type { State } from "../../session/state/state.ts";
import { continuePrompt } from "../messages/continue-prompt.ts";
import { limitsOfCut } from "../messages/prompt-content.ts";
import type { Engine } from "../sessions/session-journal.ts";
import type { Ids } from "../ports/home.ts";
import type { Store } from "../ports/store.ts";
import { runBeside } from "./beside-intents.ts";
import type { ReactorDeps } from "./reactor-deps.ts";

type Deps = Pick<ReactorDeps, "later" | "log"> & ContinueDeps;

/** Asks the agent, after a pause, to go on with a turn that was cut short. */
export const goOn = async (
  deps: Deps,
  session: SessionId,
  { prompt_id, pause_ms }: Extract<Intent, { kind: "continue" }>,
): Promise<void> => {
  const begin = (): void =>
    void runBeside(deps, {
      of: { session_id: session },
      failed: "could not continue a turn",
      run: () => continueTurn(deps, session, prompt_id),
      again: begin,
    });
  deps.later.after(pause_ms, begin);
};

interface ContinueDeps {
  engine: Pick<Engine, "exclusively">;
  store: Pick<Store, "events">;
  ids: Ids;
}

/** Asks the agent to go on with a turn, if the session still goes on with it (REC-105). Never with the same text (P7). */
export const continueTurn = (
  { engine, store, ids }: ContinueDeps,
  session: SessionId,
  prompt_id: PromptId,
): Promise<void> =>
  engine.exclusively(session, async (now) => {
    const isDue = continuationOf(now)?.prompt_id === prompt_id;
    const by = isDue ? await continuedBy({ store, ids }, now, prompt_id) : null;
    if (by === null) return { command: null, answer: nothing };
    return {
      command: {
        type: "prompt.resolve",
        prompt_id,
        action: "continue",
        by,
        unasked: true,
      },
      answer: nothing,
    };
  });

/** The prompt that takes the place of one that was cut short. `now`: with the agent that gets it. Null where it was decided about. */
export const continuedBy = async (
  { store, ids }: Pick<ContinueDeps, "store" | "ids">,
  now: State,
  prompt_id: PromptId,
): Promise<NewPrompt | null> => {
  const content = await continuePrompt(store, now, prompt_id);
  if (content === null) return null;
  const { credentials } =
    now.prompts.unresolved.find((each) => each.id === prompt_id) ?? {};
  return {
    prompt_id: ids.prompt(),
    content,
    ...(credentials !== undefined && { credentials }),
    ...(await limitsOfCut(store, now, prompt_id)),
  };
};

const nothing = (): void => undefined;
