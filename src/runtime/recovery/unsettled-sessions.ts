/** Which sessions start-up looks after: those that had an execution, or were waiting for one. */
import type { SessionId } from "../../contract/base/id.ts";
import { attentionOf } from "../../session/state/attention.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";
import type { Engine } from "../sessions/session-journal.ts";
import type { Log } from "../ports/home.ts";
import type { Store } from "../ports/store.ts";
import { isSessionGone } from "../failures/session-gone.ts";

const PAGE = 500;

interface Parts {
  store: Store;
  engine: Engine;
  log: Log;
}

/** What a damaged database does not give is left alone: whoever asks for it is told why. */
export const unsettledSessions = async (parts: Parts): Promise<State[]> => {
  const { log } = parts;
  const skip = (id: SessionId | null) => (error: unknown) => {
    if (isSessionGone(error)) return [];
    log.error({ session_id: id, err: error }, "could not be read; left alone");
    return [];
  };
  const sessions = await unsettled(parts).catch(skip(null));
  const read = sessions.map((id) => liveOne(parts, id).catch(skip(id)));
  return (await Promise.all(read)).flat();
};

/** None where its row is not true: an older release may have left it. The row is corrected (STO-44). */
const liveOne = async (
  { store, engine }: Parts,
  id: SessionId,
): Promise<State[]> => {
  const state = await engine.state(id);
  const attention = attentionOf(state);
  if (attention.live) return [state];
  await engine.writeAt(placeOf(state), (place) =>
    store.attend(place, id, state.seq, attention),
  );
  return [];
};

/** All of them before the first is settled, which changes the list. */
const unsettled = async ({ store }: Parts): Promise<SessionId[]> => {
  const found: SessionId[] = [];
  for (let last: SessionId | null = null; ;) {
    const page: SessionId[] = await store.live(last, PAGE);
    found.push(...page);
    last = page.at(-1) ?? null;
    if (page.length < PAGE) return found;
  }
};
