import { readIfThere } from "../../../src/kit/files/durable-file.ts";
import { tagIn } from "../user/speech.ts";
import type { Check, Evidence } from "./evidence.ts";

/** P1, P7: every acknowledged prompt was begun once, or it is shown what became of it; none was begun twice. */
export const checkPrompts: Check = async (evidence) => {
  const begun = await ledgerOf(evidence);
  checkAcknowledged(evidence);
  checkCounts(evidence, begun);
  checkOrder(evidence, begun);
};

/** The tags of this session's prompts that agents began, in their order. A fork writes to its parent's ledger. */
const ledgerOf = async ({ play, violations }: Evidence): Promise<string[]> => {
  const text = (await readIfThere(play.ledger)) ?? "";
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const [, prompt] = /^\S+ \d+ (".*")$/.exec(line) ?? [];
      if (prompt === undefined)
        violations.add(
          "P1",
          play.name,
          `a line of the ledger is damaged: ${line}`,
        );
      const tag = tagIn(line);
      return tag?.startsWith(`${play.name}.`) === true ? tag : [];
    });
};

const checkAcknowledged = ({ play, journal, violations }: Evidence): void => {
  const queued = new Set(
    journal.flatMap((event) =>
      event.type === "session.prompt.queued"
        ? [String(event.data.prompt_id)]
        : [],
    ),
  );
  for (const { tag, acknowledged } of play.sent) {
    for (const id of acknowledged)
      if (!queued.has(id))
        violations.add(
          "P1",
          play.name,
          `${tag} was acknowledged as ${id}, but the journal does not have it`,
        );
    if (new Set(acknowledged).size > 1)
      violations.add(
        "P1",
        play.name,
        `${tag}, sent with one key, was acknowledged as ${acknowledged.join(" and ")}`,
      );
  }
};

interface Fate {
  min: number;
  max: number;
  how: string;
}

/** How often an agent has begun a prompt, as the journal tells it. */
const fatesOf = ({ journal }: Evidence): Map<string, Fate> => {
  const fates = new Map<string, Fate>();
  const delivered = new Set<string>();
  for (const event of journal)
    switch (event.type) {
      case "session.prompt.queued":
        fates.set(event.data.prompt_id, {
          min: 1,
          max: 1,
          how: "still waiting",
        });
        break;
      case "session.prompt.cancelled":
        fates.set(event.data.prompt_id, {
          min: 0,
          max: 0,
          how: "cancelled",
        });
        break;
      case "session.prompt.delivered":
        delivered.add(event.data.prompt_id);
        break;
      case "session.turn.ended": {
        const { prompt_id, outcome } = event.data;
        fates.set(prompt_id, {
          min: delivered.has(prompt_id) && outcome !== "failed" ? 1 : 0,
          max: delivered.has(prompt_id) ? 1 : 0,
          how: outcome,
        });
        break;
      }
      case "session.turn.interrupted":
      case "session.prompt.uncertain":
        fates.set(event.data.prompt_id, { min: 0, max: 1, how: event.type });
        break;
      default:
        break;
    }
  return fates;
};

const checkCounts = (evidence: Evidence, begun: readonly string[]): void => {
  const { play, journal, violations } = evidence;
  const fates = fatesOf(evidence);
  const prompts = new Map<string, string[]>();
  const again = new Set<string | null>();
  for (const event of journal) {
    if (event.type === "session.prompt.resolved") again.add(event.data.by);
    if (event.type !== "session.prompt.queued") continue;
    const tag = tagIn(event.data.text);
    if (tag !== null)
      prompts.set(tag, [...(prompts.get(tag) ?? []), event.data.prompt_id]);
  }
  for (const tag of new Set([...begun, ...prompts.keys()])) {
    const ids = prompts.get(tag) ?? [];
    const times = begun.filter((each) => each === tag).length;
    const of = ids.flatMap((id) => fates.get(id) ?? []);
    const min = of.reduce((sum, fate) => sum + fate.min, 0);
    const max = of.reduce((sum, fate) => sum + fate.max, 0);
    const story = of.map(({ how }, i) => `${ids[i]} ${how}`).join(", ");
    if (times < min || times > max)
      violations.add(
        "P1",
        play.name,
        `${tag} was begun ${times} times, but should have been ${min} to ${max} times: ${story || "the journal does not know it"}`,
      );
    // The same words again only because a user said so.
    if (ids.filter((id) => !again.has(id)).length > 1)
      violations.add(
        "P1",
        play.name,
        `${tag} was queued more than once: ${story}`,
      );
    if (of.some(({ how }) => how === "still waiting"))
      violations.add("P10", play.name, `${tag} was never settled: ${story}`);
  }
};

/** SES-6: what was begun was begun in the order of the turns. */
const checkOrder = (
  { play, journal, violations }: Evidence,
  begun: readonly string[],
): void => {
  const tags = new Map<string, string | null>();
  const turns: (string | null)[] = [];
  let last = 0;
  for (const event of journal) {
    if (event.type === "session.prompt.queued")
      tags.set(event.data.prompt_id, tagIn(event.data.text));
    if (event.type !== "session.turn.started" || event.data.turn === last)
      continue;
    last = event.data.turn;
    turns.push(tags.get(event.data.prompt_id) ?? null);
  }
  let at = -1;
  for (const tag of begun) {
    at = turns.indexOf(tag, at + 1);
    if (at !== -1) continue;
    violations.add(
      "SES-6",
      play.name,
      `${tag} was begun out of turn; turns ${turns.join(" ")}; begun ${begun.join(" ")}`,
    );
    return;
  }
};
