import type { Client } from "../../../client/client.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import { findSession } from "../../server/find.ts";
import type { World } from "../../terminal/world.ts";

/** The argument that most session commands begin with. */
export const sessionArgument = {
  name: "ID",
  help: "the session; the beginning of its id is enough when no other begins so",
} as const;

export const targetOf = async (
  world: World,
  beginning: string,
): Promise<{ client: Client; id: SessionId }> => {
  const client = await world.client();
  return { client, id: await findSession(client, beginning) };
};
