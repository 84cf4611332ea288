import { SessionId } from "../../contract/base/id.ts";
import {
  type FirstSession,
  type FirstView,
  type HomeView,
  PageSettings,
} from "../../contract/api/first-view.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { within } from "../../kit/time/deadline.ts";
import type { Operations } from "../ask/operations.ts";
import { sessionInAddress } from "../door/open-addresses.ts";

const SESSIONS = 100;
const TASKS = 50;
const MESSAGES = 60;
/** The page asks for itself what takes longer. */
const STATUS_MS = 200;

export const signedOutView = (version: string): FirstView => ({
  version,
  home: null,
  session: null,
});

/** What the page at an address shows first. What cannot be read is left out: the page asks, and shows the refusal. */
export const firstViewOf = async (
  operations: Operations,
  path: string,
  {
    version,
    settings = PageSettings.parse({}),
  }: { version: string; settings?: PageSettings | undefined },
): Promise<FirstView> => {
  const id = SessionId.safeParse(sessionInAddress(path));
  const [home, session] = await Promise.all([
    homeView(operations, settings),
    id.success
      ? refusedAsNull(sessionView(operations, id.data))
      : Promise.resolve(null),
  ]);
  return { version, home, session };
};

/** The cursor comes first: what changes while the lists are read is told again by the stream. */
const homeView = async (
  operations: Operations,
  settings: PageSettings,
): Promise<HomeView> => {
  const seq = await homeCursor(operations);
  const [sessions, needsYou, tasks] = await Promise.all([
    operations.listSessions({ limit: SESSIONS }),
    operations.listSessions({ limit: SESSIONS, needs_you: true }),
    operations.listTasks({ limit: TASKS, deleted: false }),
  ]);
  return { seq, sessions, needs_you: needsYou, tasks, settings };
};

const homeCursor = async (operations: Operations): Promise<number> => {
  const reading = new AbortController();
  try {
    for await (const changes of operations.followHome(
      undefined,
      reading.signal,
    )) {
      const [opened] = changes;
      if (opened !== undefined) return opened.seq;
    }
    return 0;
  } finally {
    reading.abort();
  }
};

const sessionView = async (
  operations: Operations,
  id: SessionId,
): Promise<FirstSession> => {
  const session = await operations.showSession(id);
  const [status, window] = await Promise.all([
    within("the status", STATUS_MS, operations.sessionStatus(id)).catch(
      () => null,
    ),
    operations.showWindow(id, { limit: MESSAGES }),
  ]);
  return { session, status, window };
};

const refusedAsNull = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof RepriseError) return null;
    throw error;
  });
