import type { Client } from "../../client/client.ts";
import type { TaskId } from "../../contract/base/id.ts";
import { findTask } from "../server/find.ts";
import type { World } from "../terminal/world.ts";

/** The argument that most task commands begin with. */
export const taskArgument = {
  name: "ID",
  help: "the task: its id, the beginning of it when no other begins so, or its name",
} as const;

export const taskTarget = async (
  world: World,
  given: string,
): Promise<{ client: Client; id: TaskId }> => {
  const client = await world.client();
  return { client, id: await findTask(client, given) };
};
