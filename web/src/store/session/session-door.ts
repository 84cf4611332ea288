/** From the address of a session to the open session: it is loaded, tried again while the server is away, and followed. */
import { trusting } from "../../../../src/client/reading/trusting.ts";
import type { FirstSession } from "../../../../src/contract/api/first-view.ts";
import { RepriseError } from "../../../../src/contract/problem/problem.ts";
import type { Opening } from "../open-session.ts";
import type { Readable } from "../readable.ts";
import { Value } from "../value.ts";
import {
  type Loaded,
  type SessionStoreDeps,
  SessionStore,
} from "./session-store.ts";

export interface SessionDoor extends Readable<Opening> {
  /** Tries again after a failure. */
  retry(): void;
  close(): void;
}

const WINDOW_MESSAGES = 100;
const RETRY_MS = 2_000;

/** `first`: what the document of the page brought with it. */
export const openSession = (
  id: string,
  deps: SessionStoreDeps,
  first: FirstSession | null = null,
): SessionDoor => {
  const opening = new Value<Opening>({ kind: "loading" });
  let isClosed = false;
  let store: SessionStore | null = null;
  let cancelRetry: (() => void) | null = null;

  const open = async (): Promise<void> => {
    show(await load(id, deps));
  };
  const show = (loaded: Loaded): void => {
    if (isClosed) return;
    store?.close();
    const opened = new SessionStore(loaded, deps);
    store = opened;
    opening.set({ kind: "open", session: opened });
    watch(opened.follow(loaded.window.seq));
    watch(deps.readLine(id).then((line) => opened.takeLine(line)));
  };
  const attempt = (): void => {
    cancelRetry?.();
    cancelRetry = null;
    watch(open());
  };
  const watch = (work: Promise<void>): void => {
    work.catch((error: unknown) => {
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
  if (first === null) attempt();
  else show({ ...first, window: windowOf(first.window) });
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

const load = async (
  id: string,
  { client }: SessionStoreDeps,
): Promise<Loaded> => {
  const [window, session] = await Promise.all([
    client.showWindow(id, { limit: WINDOW_MESSAGES }),
    client.showSession(id),
  ]);
  return { session, status: null, window };
};

const windowOf = (window: FirstSession["window"]): Loaded["window"] => ({
  ...window,
  events: window.events.map((event) => trusting.event(event)),
});

const failureOf = (error: RepriseError): Opening => ({
  kind: "failed",
  text: error.message,
  isMissing: error.code === "session_not_found" || error.code === "invalid_id",
});
