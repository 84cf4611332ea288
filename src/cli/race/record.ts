/**
 * What a race is, as the server has it under the race's name. The first command sets it; whoever comes later joins that race
 * or is refused.
 */
import { createHash } from "node:crypto";
import type { Client } from "../../client/client.ts";
import { agreed } from "../../client/race.ts";
import {
  raceAgreement,
  type RaceShape,
  shapeIn,
} from "../../contract/api/race-route.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { count } from "../terminal/age.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { RaceOrder } from "./plan.ts";

/** Part of the keys of its requests, so that races of different shapes never share a session. */
export const fingerprintOf = (order: RaceOrder): string =>
  digest(JSON.stringify(shapeOf(order))).slice(0, 16);

/** Whether the race of this name was begun. Refused when it is another one. */
export const isBegun = async (
  client: Client,
  order: RaceOrder,
): Promise<boolean> => {
  const params = { name: raceAgreement(order.name) };
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
  requireSame(order, await agreed(client, raceAgreement(order.name), mine));
};

const shapeOf = ({ prompt, agents, from }: RaceOrder): RaceShape => ({
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

/** What the race that was begun has otherwise. */
const differences = (begun: RaceShape | null, mine: RaceShape): string[] => {
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

const placeText = ({ session, repository }: RaceShape): string =>
  session === null
    ? `in worktrees of ${oneLine(repository ?? "")}`
    : `in forks of ${session}`;
