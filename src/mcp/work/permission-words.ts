/** A permission request as tools show it. */
import * as z from "zod";
import type { Permission } from "../../contract/agent/permission.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { callOf, oneLine } from "../base/words.ts";

export const ShownPermission = z.object({
  id: z.string(),
  title: z.string(),
  options: z.array(
    z.object({ id: z.string(), name: z.string(), kind: z.string() }),
  ),
});
export type ShownPermission = z.infer<typeof ShownPermission>;

export const shownPermission = ({
  id,
  title,
  options,
}: Permission): ShownPermission => ({
  id,
  title: oneLine(title, 1000),
  options: options.map(({ id, name, kind }) => ({ id, name, kind })),
});

/** All of them, in the agent's order, which says nothing about which is the right one. */
export const optionWords = ({
  options,
}: Pick<ShownPermission, "options">): string =>
  options
    .map(({ id, name, kind }) => {
      const meaning = MEANINGS[kind];
      return `${id} (${oneLine(name)}${meaning === undefined ? "" : `: ${meaning}`})`;
    })
    .join(", ");

/** The kinds of options that ACP has. */
const MEANINGS: Partial<Record<string, string>> = {
  allow_once: "allows it this time",
  allow_always: "allows it now and from now on",
  reject_once: "refuses it this time",
  reject_always: "refuses it now and from now on",
};

/** The call that answers a request. Which option to choose is for the person, or for whoever they told. */
export const answerCall = (
  sessionId: SessionId,
  permission: Permission,
): string =>
  `${callOf("answer_permission", { sessionId, permissionId: permission.id, optionId: "…" })} with one of these as optionId: ${optionWords(permission)}`;
