import { RepriseError } from "../../contract/problem.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state.ts";
import { continuePrompt } from "../continue-prompt.ts";
import { isStorageTrouble } from "../storage-trouble.ts";
import type { Means } from "./means.ts";

/** Asks the agent, after a pause, to go on with a turn that was cut short. Never with the same text (P7). */
export const goOn = async (
  means: Means,
  state: State,
  intent: Extract<Intent, { kind: "continue" }>,
): Promise<void> => {
  const { engine, store, ids, later, log, clock } = means;
  const { id } = state;
  const { prompt_id, pause_ms, not_before } = intent;
  const until =
    not_before === null ? 0 : Date.parse(not_before) - clock.now().getTime();
  const { credentials } =
    state.unresolved.find((each) => each.id === prompt_id) ?? {};
  later.after(Math.max(pause_ms, until), () => {
    engine
      .exclusively(id, async (issue, now) => {
        const content = await continuePrompt(store, now, prompt_id);
        if (content === null) return;
        const by = {
          prompt_id: ids.prompt(),
          content,
          ...(credentials !== undefined && { credentials }),
        };
        await issue({
          type: "prompt.resolve",
          prompt_id,
          action: "continue",
          by,
          unasked: true,
        });
      })
      .catch((error: unknown) => {
        if (isStorageTrouble(error)) return goOn(means, state, intent);
        // Someone else has decided about it meanwhile.
        if (error instanceof RepriseError) return;
        log.error({ session_id: id, err: error }, "could not continue a turn");
      });
  });
};
