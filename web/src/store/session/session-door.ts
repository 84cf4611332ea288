/** From the address of a session to the open session: it is loaded, tried again while the server is away, and followed. */
import { RepriseError } from "../../../../src/contract/problem/problem.ts";
import type { Opening } from "../open-session.ts";
import type { Readable } from "../readable.ts";
import { Value } from "../value.ts";
import {
  type Loaded,
  type SessionDeps,
  SessionStore,
} from "./session-store.ts";

export interface SessionDoor extends Readable<Opening> {
  /** Tries again after a failure. */
  retry(): void;
  close(): void;
}

const WINDOW_MESSAGES = 100;
const RETRY_MS = 2_000;

export const openSession = (id: string, deps: SessionDeps): SessionDoor => {
  const opening = new Value<Opening>({ kind: "loading" });
  let isClosed = false;
  let store: SessionStore | null = null;
  let cancelRetry: (() => void) | null = null;

  const open = async (): Promise<void> => {
    const loaded = await load(id, deps);
    if (isClosed) return;
    store?.close();
    store = new SessionStore(loaded, deps);
    opening.set({ kind: "open", session: store });
    await store.follow(loaded.window.seq);
  };
  const attempt = (): void => {
    cancelRetry?.();
    cancelRetry = null;
    open().catch((error: unknown) => {
      if (!isClosed) failed(error);
    });
  };
  const failed = (error: unknown): void => {
    // A refusal stays one, whatever is tried. Anything else may pass.
    if (error instanceof RepriseError) {
      store?.close();
      store = null;
      opening.set(failureOf(error));
    } else cancelRetry = deps.scheduler.after(RETRY_MS, attempt);
  };
  attempt();
  return {
    get: () => opening.get(),
    subscribe: (changed) => opening.subscribe(changed),
    retry: () => {
      opening.set({ kind: "loading" });
      attempt();
    },
    close: () => {
      isClosed = true;
      cancelRetry?.();
      store?.close();
    },
  };
};

/** The line is read behind the window: events that both have change it once. */
const load = async (
  id: string,
  { client, readLine }: SessionDeps,
): Promise<Loaded> => {
  const window = await client.showWindow(id, { limit: WINDOW_MESSAGES });
  const [line, session] = await Promise.all([
    readLine(id),
    client.showSession(id),
  ]);
  return { session, status: null, window, line };
};

const failureOf = (error: RepriseError): Opening => ({
  kind: "failed",
  text: error.message,
  isMissing: error.code === "session_not_found" || error.code === "invalid_id",
});
