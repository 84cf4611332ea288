import { command } from "../parsing/command.ts";
import { findSession } from "../server/find.ts";
import { purgeAll, yesOption } from "../trash/purge.ts";
import { sessionArgument } from "./shared/target.ts";

export const purgeSessions = command({
  name: "session purge",
  summary: "Remove sessions that are in the trash for good",
  about:
    "The conversation, the checkpoints and the directories that were made for it are lost. `reprise session list --deleted` shows what is in the trash; what stays there is removed after `trash_days`.",
  args: [{ ...sessionArgument, many: true }],
  options: { yes: yesOption },
  examples: [
    "reprise session purge ses_01jm",
    "reprise session purge ses_01jm ses_01jn --yes",
  ],
  exits: { 1: "one of them could not be removed, or you said no" },
  async run({ args, options }, world) {
    const client = await world.client();
    const ids: string[] = [];
    for (const given of args.ID) ids.push(await findSession(client, given));
    return purgeAll(world, {
      noun: "session",
      ids,
      isSure: options.yes,
      show: async (id) => {
        const { name, deleted_at } = await client.showSession(id);
        return { id, name, isInTrash: deleted_at !== null };
      },
      purge: (id) => client.purgeSession(id),
    });
  },
});
