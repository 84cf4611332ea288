/** Removes sessions or tasks that are in the trash for good, once somebody has said so. */
import { RepriseError } from "../../contract/problem/problem.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { count } from "../terminal/age.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { CTRL_C, type World } from "../terminal/world.ts";

export const yesOption = {
  kind: "flag",
  help: "do not ask; needed where nobody can be asked",
} as const;

/** One of those that are named on the command line. */
export interface Candidate {
  id: string;
  name: string | null;
  isInTrash: boolean;
}

export interface PurgeOrder {
  noun: "session" | "task";
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
  { noun, ids, isSure, show, purge }: PurgeOrder,
): Promise<number> => {
  const candidates: Candidate[] = [];
  for (const id of new Set(ids)) candidates.push(await show(id));
  for (const each of candidates) requireInTrash(world, noun, each);
  if (!isSure) {
    const said = await confirmed(world, noun, candidates);
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

/** What was refused is tried again as long as others go: a session may have to wait for another one that works in its directory. */
const purgeEach = async (
  ids: readonly string[],
  purge: PurgeOrder["purge"],
): Promise<{ purged: string[]; failed: Failed[] }> => {
  const purged: string[] = [];
  const failed: Failed[] = [];
  for (const id of ids)
    try {
      await purge(id);
      purged.push(id);
    } catch (error) {
      if (!(error instanceof RepriseError)) throw error;
      // Somebody else has removed it meanwhile.
      if (NOT_FOUND.has(error.code)) purged.push(id);
      else failed.push({ id, code: error.code, detail: error.message });
    }
  if (failed.length === 0 || purged.length === 0) return { purged, failed };
  const again = await purgeEach(
    failed.map(({ id }) => id),
    purge,
  );
  return { purged: [...purged, ...again.purged], failed: again.failed };
};

const NOT_FOUND: ReadonlySet<string> = new Set([
  "session_not_found",
  "task_not_found",
]);

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
  noun: PurgeOrder["noun"],
  candidates: readonly Candidate[],
): Promise<boolean | typeof CTRL_C> => {
  const lines = candidates.map(({ id, name }) =>
    name === null ? `  ${id}` : `  ${id}  ${oneLine(name)}`,
  );
  const said = world.json
    ? null
    : await world.ask(
        `${lines.join("\n")}\n${LOST[noun]} Remove ${count(candidates.length, noun)} for good? (yes/no) `,
      );
  if (said === null)
    throw new UsageError(
      "Nobody can be asked here, and what is removed for good cannot be brought back. Say --yes if you are sure.",
    );
  return said === CTRL_C ? said : said.trim().toLowerCase() === "yes";
};

const LOST = {
  session:
    "The conversation, the checkpoints and the directories that were made for it are lost.",
  task: "What was asked for and its attempts are lost; its sessions stay.",
} as const;
