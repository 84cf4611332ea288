import type { TaskId } from "../../contract/base/id.ts";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import type { IntentRunner } from "../../journal/intent-runner.ts";
import type { Shelf } from "../../journal/shelf.ts";
import type { Intent } from "../../task/intend.ts";
import type { LetGo } from "../places/held-places.ts";
import type { TaskEngine, Tasks } from "./task-journal.ts";

interface Parts {
  tasks: TaskEngine;
  shelf: Shelf<Tasks>;
  intents: IntentRunner<Tasks, Intent>;
}

/** Lets go of what is in memory of tasks, with their place. What is not known to be of another place is let go too: it can be read again. */
export const keptTasks = ({ tasks, shelf, intents }: Parts): LetGo => {
  const letGo = async (ids: ReadonlySet<TaskId>, why: Error): Promise<void> => {
    intents.letGo(ids);
    await tasks.letGo(ids, why);
  };
  const isElsewhere = (id: TaskId, at: PlaceRef): boolean => {
    const place = shelf.get(id)?.place;
    return place !== undefined && placeKey(place) !== placeKey(at);
  };
  const kept = (): TaskId[] => [...tasks.kept(), ...intents.kept()];
  return {
    one: (at, why) =>
      letGo(new Set(kept().filter((id) => !isElsewhere(id, at))), why),
    all: (_, why) => letGo(new Set(kept()), why),
  };
};
