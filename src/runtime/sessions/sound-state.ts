/** What can be known of a session whose journal is damaged. */
import type { Event } from "../../contract/event/event.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { evolve } from "../../session/evolve/evolve.ts";
import type { State } from "../../session/state/state.ts";
import type { Engine, Sessions } from "./session-journal.ts";
import { eventsOf } from "../../journal/journal-reader.ts";
import type { Store } from "../ports/store.ts";
import { isSessionDamaged } from "../failures/session-damaged.ts";

/** Events up to the damage, if there is any. */
export async function* soundEventsOf(
  store: Store,
  session: SessionId,
  after = 0,
): AsyncGenerator<Event> {
  try {
    yield* eventsOf<Sessions>(store, session, after);
  } catch (error) {
    if (!isSessionDamaged(error)) throw error;
  }
}

/** The state as far as it is known: of a damaged session what it was before the damage. No command can be issued to that. */
export const soundStateOf = async (
  { engine, store }: { engine: Engine; store: Store },
  session: SessionId,
): Promise<State> => {
  try {
    return await engine.state(session);
  } catch (error) {
    if (!isSessionDamaged(error)) throw error;
    let state: State | null = null;
    for await (const event of soundEventsOf(store, session))
      state = evolve(state, event);
    // Not even its beginning can be read.
    if (state === null) throw error;
    return state;
  }
};
