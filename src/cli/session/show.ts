import type { Client } from "../../client/client.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { sessionCard } from "../text/session-card.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const show = command({
  name: "session show",
  summary: "Show a session and what it waits for",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session show ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const session = await client.showSession(id);
    const stored = world.json ? nothingStored : await storedOf(client, id);
    answer(world, session, () =>
      sessionCard(session, stored, world, world.now()),
    );
    return 0;
  },
});

const nothingStored = { checkpoints: [], bytes: null };

/** A session is shown also when nobody can tell what its checkpoints take. */
const storedOf = async (client: Client, id: SessionId) => {
  const { checkpoints } = await client.listCheckpoints(id);
  if (checkpoints.length === 0) return nothingStored;
  const bytes = await client.showDiskUse({ session_id: id }).then(
    ({ sessions }) => sessions[0]?.bytes ?? null,
    () => null,
  );
  return { checkpoints, bytes };
};
