import type { Client } from "../../client/client.ts";
import { command } from "../parsing/command.ts";
import { findSession, findTask } from "../server/find.ts";
import { sessionArgument } from "../session/shared/target.ts";
import { taskArgument } from "../task/target.ts";
import { purgeAll, type PurgeOrder } from "./purge-all.ts";

/** How sessions, or tasks, are found and removed. */
interface Kind extends Pick<PurgeOrder, "noun" | "lost"> {
  argument: { name: "ID"; help: string };
  /** Beginnings of ids, for the examples. */
  ids: readonly [string, string];
  find: (client: Client, given: string) => Promise<string>;
  show: (client: Client, id: string) => ReturnType<PurgeOrder["show"]>;
  purge: (client: Client, id: string) => Promise<unknown>;
}

const purgeCommand = ({ noun, lost, ids: [one, other], ...kind }: Kind) =>
  command({
    name: `${noun} purge`,
    summary: `Remove ${noun}s that are in the trash for good`,
    about: `${lost} \`reprise ${noun} list --deleted\` shows what is in the trash; what stays there is removed after \`trash_days\`.`,
    args: [{ ...kind.argument, many: true }],
    options: {
      yes: {
        kind: "flag",
        help: "do not ask; needed where nobody can be asked",
      },
    },
    examples: [
      `reprise ${noun} purge ${one}`,
      `reprise ${noun} purge ${one} ${other} --yes`,
    ],
    exits: { 1: "one of them could not be removed, or you said no" },
    async run({ args, options }, world) {
      const client = await world.client();
      const ids: string[] = [];
      for (const given of args.ID) ids.push(await kind.find(client, given));
      return purgeAll(world, {
        noun,
        lost,
        ids,
        isSure: options.yes,
        show: (id) => kind.show(client, id),
        purge: (id) => kind.purge(client, id),
      });
    },
  });

export const purgeSessions = purgeCommand({
  noun: "session",
  lost: "The conversation, the checkpoints and the directories that were made for it are lost.",
  argument: sessionArgument,
  ids: ["ses_01jm", "ses_01jn"],
  find: findSession,
  show: async (client, id) => {
    const { name, deleted_at } = await client.showSession(id);
    return { id, name, isInTrash: deleted_at !== null };
  },
  purge: (client, id) => client.purgeSession(id),
});

export const purgeTasks = purgeCommand({
  noun: "task",
  lost: "What was asked for and its attempts are lost; its sessions stay.",
  argument: taskArgument,
  ids: ["tsk_01jm", "tsk_01jn"],
  find: findTask,
  show: async (client, id) => {
    const { title, deleted_at } = await client.showTask(id);
    return { id, name: title, isInTrash: deleted_at !== undefined };
  },
  purge: (client, id) => client.purgeTask(id),
});
