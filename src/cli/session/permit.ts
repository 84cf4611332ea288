import type { Client } from "../../client/client.ts";
import { PermissionId, type SessionId } from "../../contract/base/id.ts";
import type {
  Permission,
  PermissionOption,
} from "../../contract/agent/permission.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { command } from "../parsing/command.ts";
import {
  answerFor,
  isPermitWord,
  optionFor,
  permitWords,
} from "../text/permit-words.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { indented } from "../terminal/indented.ts";
import { permitCommands } from "../text/next-command.ts";
import { permissionText } from "../text/permission.ts";
import { UsageError } from "../parsing/usage-error.ts";
import type { World } from "../terminal/world.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const permit = command({
  name: "session permit",
  summary: "Answer a permission request",
  about:
    "yes allows it once, always from now on; no refuses it once, never from now on. They mean that whatever the agent calls its options. `reprise session show ID` tells what is asked.",
  args: [
    sessionArgument,
    {
      name: "REQUEST",
      help: "the request, as in per_1_2048; not needed where one waits",
      optional: true,
    },
    {
      name: "ANSWER",
      help: `${permitWords.join(", ")}, or the id of an option`,
    },
  ],
  options: {},
  examples: [
    "reprise session permit ses_01jm yes",
    "reprise session permit ses_01jm per_1_2048 always",
  ],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const [request, option] = await chosen(world, client, id, args);
    const permission = await client.answerPermission(id, request, option);
    answer(
      world,
      permission,
      () =>
        `${permission.id} (${oneLine(permission.title)}): ${nameOf(permission, option)}.`,
    );
    return 0;
  },
});

interface PermitArguments {
  REQUEST?: string | undefined;
  ANSWER: string;
}

/** The request and the id of one of its options. */
const chosen = async (
  world: World,
  client: Client,
  id: SessionId,
  { REQUEST, ANSWER }: PermitArguments,
): Promise<[request: string, option: string]> => {
  if (REQUEST !== undefined && !isPermitWord(ANSWER)) return [REQUEST, ANSWER];
  const { pending_permissions: pending } = await client.showSession(id);
  const asked =
    REQUEST === undefined
      ? theOnly(world, id, pending, ANSWER)
      : pending.find((each) => each.id === REQUEST);
  // The server knows what became of a request that waits no more.
  if (asked === undefined) return [REQUEST ?? "", ANSWER];
  const option = optionFor(asked.options, ANSWER);
  if (option === undefined) throw noSuchOption(asked, ANSWER);
  return [asked.id, option.id];
};

const theOnly = (
  { program }: World,
  id: SessionId,
  pending: readonly Permission[],
  word: string,
): Permission => {
  const [only, ...others] = pending;
  if (PermissionId.safeParse(word).success)
    throw new UsageError(
      `The answer to ${word} is missing: ${permitWords.join(", ")}, or the id of an option.`,
    );
  if (only === undefined)
    throw new RepriseError(
      "permission_not_found",
      `Nothing waits for an answer in ${id}.`,
    );
  if (others.length === 0) return only;
  const all = pending.map(
    (each) =>
      `${permissionText(each, (text) => text)}\n${indented(permitCommands(program, id, each))}`,
  );
  throw new UsageError(
    `${pending.length} requests wait for an answer. Say which one:\n${indented(all.join("\n"))}`,
  );
};

const noSuchOption = (
  { id, options }: Permission,
  word: string,
): RepriseError =>
  new RepriseError(
    "unknown_option",
    `${id} has no option for "${word}". Choose one of: ${options.map((option) => `${oneLine(answerFor(options, option))} (${oneLine(option.name)})`).join(", ")}.`,
  );

const nameOf = ({ options }: Permission, id: string): string => {
  const option: PermissionOption | undefined = options.find(
    (each) => each.id === id,
  );
  return oneLine(option?.name ?? id);
};
