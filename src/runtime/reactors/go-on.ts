import { RepriseError } from "../../contract/problem.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state.ts";
import { CONTINUE } from "../continue-words.ts";
import { isStorageTrouble } from "../storage-trouble.ts";
import type { Means } from "./means.ts";

/** Asks the agent, after a pause, to go on with a turn that was cut short. Never with the same text (P7). */
export const goOn = async (
  means: Means,
  state: State,
  intent: Extract<Intent, { kind: "continue" }>,
): Promise<void> => {
  const { engine, ids, later, log, clock } = means;
  const { id } = state;
  const { prompt_id, pause_ms, not_before } = intent;
  const until =
    not_before === null ? 0 : Date.parse(not_before) - clock.now().getTime();
  const { credentials } =
    state.unresolved.find((each) => each.id === prompt_id) ?? {};
  later.after(Math.max(pause_ms, until), () => {
    const by = {
      prompt_id: ids.prompt(),
      content: [{ type: "text" as const, text: CONTINUE }],
      ...(credentials !== undefined && { credentials }),
    };
    engine
      .issue(id, {
        type: "prompt.resolve",
        prompt_id,
        action: "continue",
        by,
        unasked: true,
      })
      .catch((error: unknown) => {
        if (isStorageTrouble(error)) return goOn(means, state, intent);
        // Someone else has decided about it meanwhile.
        if (error instanceof RepriseError) return;
        log.error({ session_id: id, err: error }, "could not continue a turn");
      });
  });
};
