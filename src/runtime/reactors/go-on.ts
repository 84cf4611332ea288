import type { PromptId, SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state/state.ts";
import { continuePrompt } from "../messages/continue-prompt.ts";
import type { Engine } from "../sessions/session-journal.ts";
import type { Ids } from "../ports/home.ts";
import type { Store } from "../ports/store.ts";
import { isStorageTrouble } from "../failures/storage-trouble.ts";
import type { ReactorDeps } from "./reactor-deps.ts";

/** Asks the agent, after a pause, to go on with a turn that was cut short. */
export const goOn = async (
  deps: ReactorDeps,
  state: State,
  intent: Extract<Intent, { kind: "continue" }>,
): Promise<void> => {
  const { later, log } = deps;
  const { id } = state;
  const { prompt_id, pause_ms } = intent;
  later.after(pause_ms, () => {
    continueTurn(deps, id, prompt_id).catch((error: unknown) => {
      if (isStorageTrouble(error)) return goOn(deps, state, intent);
      // Someone else has decided about it meanwhile.
      if (error instanceof RepriseError) return;
      log.error({ session_id: id, err: error }, "could not continue a turn");
    });
  });
};

/** Asks the agent to go on with a turn, if nobody has decided about it meanwhile. Never with the same text (P7). */
export const continueTurn = (
  { engine, store, ids }: { engine: Engine; store: Store; ids: Ids },
  session: SessionId,
  prompt_id: PromptId,
): Promise<void> =>
  engine.exclusively(session, async (now) => {
    const content = await continuePrompt(store, now, prompt_id);
    if (content === null) return { command: null, answer: nothing };
    const { credentials } =
      now.prompts.unresolved.find((each) => each.id === prompt_id) ?? {};
    const by = {
      prompt_id: ids.prompt(),
      content,
      ...(credentials !== undefined && { credentials }),
    };
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

const nothing = (): void => undefined;
