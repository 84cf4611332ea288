/**
 * What a race is and which run was kept, as the server has it under the race's name. The first command sets it; whoever
 * comes later joins that race or is refused.
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import type { Client } from "../../client/client.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { count } from "../terminal/age.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { RaceOrder } from "./plan.ts";

const Shape = z.object({
  /** A digest: the text may be long, and is nobody's business here. */
  prompt: z.string(),
  agents: z.array(z.string()),
  repository: z.string().nullable(),
  session: z.string().nullable(),
  permissions: z.string().nullable(),
});
type Shape = z.infer<typeof Shape>;

/** Part of the keys of its requests, so that races of different shapes never share a session. */
export const fingerprintOf = (order: RaceOrder): string =>
  digest(JSON.stringify(shapeOf(order))).slice(0, 16);

/** Whether the race of this name was begun. Refused when it is another one. */
export const isBegun = async (
  client: Client,
  order: RaceOrder,
): Promise<boolean> => {
  const params = { name: shapeName(order) };
  const { value } = await client.call("showAgreement", { params });
  if (value === null) return false;
  requireSame(order, value);
  return true;
};

/** From now on the name belongs to this race. Refused when another one was faster. */
export const begin = async (
  client: Client,
  order: RaceOrder,
): Promise<void> => {
  const mine = JSON.stringify(shapeOf(order));
  requireSame(order, await agreed(client, shapeName(order), mine));
};

export const keptBefore = async (
  client: Client,
  { name }: RaceOrder,
): Promise<number | null> => {
  const params = { name: keptName(name) };
  const { value } = await client.call("showAgreement", { params });
  return value === null ? null : Number(value);
};

/** The number that counts: this one, or the one that somebody else chose before. */
export const decideKept = async (
  client: Client,
  { name }: RaceOrder,
  number: number,
): Promise<number> =>
  Number(await agreed(client, keptName(name), String(number)));

/** Whether the others went to the trash: who was taken out of it since stays out. */
export const isCarriedOut = async (
  client: Client,
  { name }: RaceOrder,
): Promise<boolean> => {
  const params = { name: trashedName(name) };
  return (await client.call("showAgreement", { params })).value !== null;
};

export const markCarriedOut = async (
  client: Client,
  { name }: RaceOrder,
): Promise<void> => {
  await agreed(client, trashedName(name), "yes");
};

const agreed = async (
  client: Client,
  name: string,
  value: string,
): Promise<string> => {
  const body = { value };
  const answer = await client.call("agree", { params: { name }, body });
  return answer.value ?? value;
};

const shapeName = ({ name }: RaceOrder): string => `race.${name}`;
/** No name of a race makes one the other. */
const keptName = (race: string): string => `race-kept.${race}`;
const trashedName = (race: string): string => `race-trashed.${race}`;

const shapeOf = ({ prompt, agents, from }: RaceOrder): Shape => ({
  prompt: digest(prompt),
  agents: [...agents],
  ...(from.kind === "fork"
    ? { repository: null, session: from.session.id, permissions: null }
    : {
        repository: from.repository,
        session: null,
        permissions: from.permissions ?? null,
      }),
});

const digest = (text: string): string =>
  createHash("sha256").update(text).digest("hex");

const requireSame = (order: RaceOrder, value: string): void => {
  const mine = shapeOf(order);
  if (value === JSON.stringify(mine)) return;
  throw new RepriseError(
    "idempotency_conflict",
    `The race ${order.name} was begun ${differences(shapeIn(value), mine).join(", and ")}. Repeat its own command to take it up again, or choose another --name.`,
  );
};

const shapeIn = (value: string): Shape | null => {
  try {
    return Shape.parse(JSON.parse(value));
  } catch {
    return null;
  }
};

/** What the race that was begun has otherwise. */
const differences = (begun: Shape | null, mine: Shape): string[] => {
  if (begun === null) return ["by another release of Reprise"];
  const told = [
    ...(isSame(begun.agents, mine.agents)
      ? []
      : [`with ${runsText(begun.agents)} instead of ${runsText(mine.agents)}`]),
    ...(begun.prompt === mine.prompt ? [] : ["with another prompt"]),
    ...(begun.session === mine.session && begun.repository === mine.repository
      ? []
      : [`${placeText(begun)} instead of ${placeText(mine)}`]),
    ...(begun.permissions === mine.permissions
      ? []
      : [
          begun.permissions === null
            ? "without --permissions"
            : `with --permissions ${begun.permissions}`,
        ]),
  ];
  return told.length === 0 ? ["by another release of Reprise"] : told;
};

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at]);

const runsText = (agents: readonly string[]): string =>
  `${count(agents.length, "run")} (${agents.join(", ")})`;

const placeText = ({ session, repository }: Shape): string =>
  session === null
    ? `in worktrees of ${oneLine(repository ?? "")}`
    : `in forks of ${session}`;
