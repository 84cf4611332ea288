/** Removes sessions or tasks that are in the trash for good, once somebody has said so. */
import { purgeInTurn } from "../../client/purge.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { count } from "../terminal/age.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { CTRL_C, type World } from "../terminal/world.ts";

/** One of those that are named on the command line. */
export interface Candidate {
  id: string;
  name: string | null;
  isInTrash: boolean;
}

export interface PurgeOrder {
  noun: "session" | "task";
  /** What is lost with one. */
  lost: string;
  ids: readonly string[];
  isSure: boolean;
  show: (id: string) => Promise<Candidate>;
  purge: (id: string) => Promise<unknown>;
}

interface Failed {
  id: string;
  code: string;
  detail: string;
}

/** Resolves with the exit code. */
export const purgeAll = async (
  world: World,
  order: PurgeOrder,
): Promise<number> => {
  const { noun, ids, isSure, show, purge } = order;
  const candidates: Candidate[] = [];
  for (const id of new Set(ids)) candidates.push(await show(id));
  for (const each of candidates) requireInTrash(world, noun, each);
  if (!isSure) {
    const said = await confirmed(world, order, candidates);
    if (said === CTRL_C) return 130;
    if (!said) {
      world.out.write("Nothing was removed.\n");
      return 1;
    }
  }
  const { purged, failed } = await purgeEach(
    candidates.map(({ id }) => id),
    purge,
  );
  answer(world, { purged, failed }, () =>
    purged.map((id) => `${id} is removed for good.`).join("\n"),
  );
  if (!world.json)
    for (const { id, detail } of failed)
      world.err.write(`${id} is still in the trash: ${oneLine(detail)}\n`);
  return failed.length === 0 ? 0 : 1;
};

const purgeEach = async (
  ids: readonly string[],
  purge: PurgeOrder["purge"],
): Promise<{ purged: string[]; failed: Failed[] }> => {
  const purged: string[] = [];
  const failed = new Map<string, Failed>();
  for await (const { item: id, refusal } of purgeInTurn(ids, purge))
    if (refusal === null) {
      purged.push(id);
      failed.delete(id);
    } else {
      const { code, message } = refusal;
      failed.set(id, { id, code, detail: message });
    }
  return { purged, failed: [...failed.values()] };
};

const requireInTrash = (
  { program }: World,
  noun: PurgeOrder["noun"],
  { id, isInTrash }: Candidate,
): void => {
  if (!isInTrash)
    throw new RepriseError(
      "wrong_state",
      `${id} is not in the trash, and nothing was removed. \`${program} ${noun} delete ${id}\` puts it there.`,
    );
};

const confirmed = async (
  world: World,
  { noun, lost }: PurgeOrder,
  candidates: readonly Candidate[],
): Promise<boolean | typeof CTRL_C> => {
  const lines = candidates.map(({ id, name }) =>
    name === null ? `  ${id}` : `  ${id}  ${oneLine(name)}`,
  );
  const said = world.json
    ? null
    : await world.ask(
        `${lines.join("\n")}\n${lost} Remove ${count(candidates.length, noun)} for good? (yes/no) `,
      );
  if (said === null)
    throw new UsageError(
      "Nobody can be asked here, and what is removed for good cannot be brought back. Say --yes if you are sure.",
    );
  return said === CTRL_C ? said : said.trim().toLowerCase() === "yes";
};
