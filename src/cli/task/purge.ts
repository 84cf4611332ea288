import { command } from "../parsing/command.ts";
import { findTask } from "../server/find.ts";
import { purgeAll, yesOption } from "../trash/purge.ts";
import { taskArgument } from "./target.ts";

export const purgeTasks = command({
  name: "task purge",
  summary: "Remove tasks that are in the trash for good",
  about:
    "What was asked for and its attempts are lost; its sessions stay. `reprise task list --deleted` shows what is in the trash; what stays there is removed after `trash_days`.",
  args: [{ ...taskArgument, many: true }],
  options: { yes: yesOption },
  examples: [
    "reprise task purge tsk_01jm",
    "reprise task purge tsk_01jm tsk_01jn --yes",
  ],
  exits: { 1: "one of them could not be removed, or you said no" },
  async run({ args, options }, world) {
    const client = await world.client();
    const ids: string[] = [];
    for (const given of args.ID) ids.push(await findTask(client, given));
    return purgeAll(world, {
      noun: "task",
      ids,
      isSure: options.yes,
      show: async (id) => {
        const { title, deleted_at } = await client.showTask(id);
        return { id, name: title, isInTrash: deleted_at !== undefined };
      },
      purge: (id) => client.purgeTask(id),
    });
  },
});
