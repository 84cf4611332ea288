/** Which sessions start-up looks after: those that had an execution, or were waiting for one. */
import type { SessionId } from "../contract/id.ts";
import type { State } from "../session/state.ts";
import { allSessions } from "./all-sessions.ts";
import type { Engine } from "./engine.ts";
import type { Log, Store } from "./ports.ts";
import { isSessionGone } from "./session-gone.ts";

interface Parts {
  store: Store;
  engine: Engine;
  log: Log;
}

/** What a damaged database does not give is left alone: whoever asks for it is told why. */
export const unsettledSessions = async (parts: Parts): Promise<State[]> => {
  const { engine, log } = parts;
  const skip = (id: SessionId | null) => (error: unknown) => {
    if (isSessionGone(error)) return [];
    log.error({ session_id: id, err: error }, "could not be read; left alone");
    return [];
  };
  const sessions = await unsettled(parts).catch(skip(null));
  const read = sessions.map((id) =>
    engine.state(id).then((state) => [state], skip(id)),
  );
  return (await Promise.all(read)).flat();
};

const unsettled = async ({ store }: Parts): Promise<SessionId[]> => {
  const rows = await store.executors();
  const live = rows.filter(
    ({ status }) => status === "starting" || status === "ready",
  );
  const found = new Set(live.map(({ session_id }) => session_id));
  // agentctl could not be had, or the session could not be started: in the first case its agent may live.
  for (const { session_id, status } of rows)
    if (status === "error" && (await mayLive(store, session_id)))
      found.add(session_id);
  const states = ["STARTING", "RUNNING"];
  for await (const { id } of allSessions(store, { states })) found.add(id);
  return [...found];
};

const mayLive = async (store: Store, session: SessionId): Promise<boolean> => {
  const view = await store.session(session);
  return view !== null && view.agent_execution_id !== null;
};
