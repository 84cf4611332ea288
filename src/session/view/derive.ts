/** What is kept beside a journal. It follows from the events, so it can be made again from them. */
import type { Event } from "../../contract/event/event.ts";
import { attentionChange } from "../state/attention.ts";
import { evolve } from "../evolve/evolve.ts";
import { executorChange } from "./executor-row.ts";
import { listedViewOf } from "./listed-view.ts";
import { permissionChanges } from "./permission-changes.ts";
import { promptChanges } from "./prompt-changes.ts";
import { isQuiet } from "./quiet.ts";
import { isTaskNews } from "./task-news.ts";
import type { State } from "../state/state.ts";

/** What these events change of it. */
export const derivedBy = (
  events: readonly Event[],
  before: State | null,
  after: State,
  at: string,
) => ({
  view: listedViewOf(after),
  executor: executorChange(before, after, at),
  attention: attentionChange(before, after),
  prompts: promptChanges(events, after),
  permissions: permissionChanges(events),
  news: isTaskNews(events, before, after),
  quiet: isQuiet(events, before, after),
});

type Derived = ReturnType<typeof derivedBy>;

/** All of it, from a whole journal. Takes the events one by one: a journal may be long. */
export const derivation = () => {
  let state: State | null = null;
  const prompts: Derived["prompts"] = [];
  const permissions: Derived["permissions"] = [];
  return {
    add: (event: Event): void => {
      state = evolve(state, event);
      prompts.push(...promptChanges([event], state));
      permissions.push(...permissionChanges([event]));
    },
    derived: (): Derived => {
      if (state === null) throw new Error("a journal without events");
      const { last_active_at } = state.times;
      const rows = derivedBy([], null, state, last_active_at);
      return { ...rows, prompts, permissions };
    },
  };
};
