/** What Home lists, in which order: a flat list, so that only what is in sight is in the document. */
import type { Session } from "../../../src/contract/session/session.ts";
import type { Task } from "../../../src/contract/task/task.ts";
import type { Attention } from "../store/attention.ts";
import { isWorking } from "../store/working.ts";
import { sessionName } from "../words/session-name.ts";

export type SectionName = "Needs you" | "Working" | "Resting" | "Tasks";

/** `isFirst` and `isLast` of its section: its corners are round. */
interface Placed {
  key: string;
  isFirst: boolean;
  isLast: boolean;
}

export type HomeItem =
  | { kind: "head"; key: string; name: SectionName; count: number }
  | (Placed & { kind: "ask"; attention: Attention })
  | (Placed & { kind: "session"; session: Session })
  | (Placed & { kind: "task"; task: Task });

export type StateFilter = "all" | "needs_you" | "working" | "resting" | "ended";

export interface Filters {
  query: string;
  agent: string | null;
  state: StateFilter;
}

export const NO_FILTERS: Filters = { query: "", agent: null, state: "all" };

export const isFiltered = ({ query, agent, state }: Filters): boolean =>
  query.trim() !== "" || agent !== null || state !== "all";

export const homeItems = (
  sessions: readonly Session[],
  attention: readonly Attention[],
  tasks: readonly Task[],
  filters: Filters,
): HomeItem[] => {
  const needs = new Set(attention.map(({ session }) => session.id));
  const others = sessions.filter(({ id }) => !needs.has(id));
  const fits = (session: Session): boolean => isMatch(session, filters);
  const shows = (state: StateFilter): boolean =>
    filters.state === "all" || filters.state === state;
  return [
    ...section(
      "Needs you",
      shows("needs_you")
        ? attention.filter(({ session }) => fits(session))
        : [],
      (each) => ({
        kind: "ask",
        key: each.session.id,
        attention: each,
      }),
    ),
    ...section(
      "Working",
      shows("working") ? others.filter(isWorking).filter(fits) : [],
      ofSession,
    ),
    ...section(
      "Resting",
      others
        .filter((session) => !isWorking(session))
        .filter((session) =>
          shows(session.status === "ended" ? "ended" : "resting"),
        )
        .filter(fits),
      ofSession,
    ),
    ...section(
      "Tasks",
      isFiltered(filters) ? [] : tasks.filter(isOpenTask),
      (task) => ({ kind: "task", key: task.id, task }),
    ),
  ];
};

const ofSession = (session: Session) => ({
  kind: "session" as const,
  key: session.id,
  session,
});

type Unplaced<T> = T extends Placed ? Omit<T, "isFirst" | "isLast"> : never;

/** A section without rows is left out. */
const section = <T>(
  name: SectionName,
  rows: readonly T[],
  itemOf: (row: T) => Unplaced<HomeItem>,
): HomeItem[] =>
  rows.length === 0
    ? []
    : [
        { kind: "head", key: name, name, count: rows.length },
        ...rows.map((row, i) => ({
          ...itemOf(row),
          isFirst: i === 0,
          isLast: i === rows.length - 1,
        })),
      ];

const isOpenTask = ({ state }: Task): boolean =>
  state !== "DONE" && state !== "CANCELLED";

/** Every word has to be in its name, its last words, its directory, its branch or its agent. */
const isMatch = (session: Session, { query, agent }: Filters): boolean => {
  if (agent !== null && session.agent !== agent) return false;
  const text = [
    sessionName(session),
    session.last_words,
    session.cwd,
    session.worktree_branch,
    session.agent,
    session.id,
  ]
    .join("\n")
    .toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
