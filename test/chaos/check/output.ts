import { spoken } from "../../e2e/house.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Event } from "../../../src/contract/event/event.ts";
import { hasErrno } from "../../../src/kit/errno.ts";
import { LineSplitter } from "../../../src/kit/data/ndjson.ts";
import type { Check, Evidence } from "./evidence.ts";

/** P2, from the other end: what agents wrote to their stdout is what the journal says they said, each byte once. */
export const checkOutput: Check = async (evidence) => {
  for (const event of evidence.journal)
    if (event.type === "session.execution.started")
      await checkExecution(evidence, event.data.execution_id, event.data.epoch);
};

const checkExecution = async (
  { house, play, journal, violations }: Evidence,
  execution: string,
  epoch: number,
): Promise<void> => {
  const ranged = journal.filter(({ origin }) => origin?.epoch === epoch);
  let at = 0;
  let last = { from: -1, seq: -1 };
  for (const { origin, seq } of ranged) {
    if (origin === undefined) continue;
    // The events that come of one message stand one behind the other.
    const isSame =
      origin.from === last.from && origin.to === at && seq === last.seq + 1;
    if (origin.from !== at && !isSame)
      violations.add(
        "P2",
        play.name,
        `event ${seq} stands for bytes ${origin.from} to ${origin.to} of ${execution}; the last ones ended at ${at}`,
      );
    last = { from: origin.from, seq };
    at = origin.to;
  }
  const stdout = await readKept(join(house.kept, execution));
  if (stdout === null) return;
  const ready = ranged.find(({ type }) => type === "session.agent.ready")
    ?.origin?.to;
  const recorded = {
    text: spoken(ranged),
    permissions: count(ranged, "session.permission.requested"),
    turns: answersIn(ranged),
  };
  const wrote =
    ready === undefined
      ? { text: "", permissions: 0, turns: 0 }
      : saidIn(stdout, ready);
  for (const what of ["text", "permissions", "turns"] as const)
    if (recorded[what] !== wrote[what])
      violations.add(
        "P2",
        play.name,
        `${what} of ${execution} (epoch ${epoch}): ${difference(String(wrote[what]), String(recorded[what]))}`,
      );
};

const readKept = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};

const count = (events: readonly Event[], type: Event["type"]): number =>
  events.filter((event) => event.type === type).length;

/** The answer to a prompt ends its turn, or cuts it short when the session is being paused, or is kept as a notice. */
const answersIn = (events: readonly Event[]): number =>
  count(events, "session.turn.ended") +
  count(events, "session.turn.interrupted") +
  events.filter(
    (event) =>
      event.type === "session.notice" && event.data.code === "late_answer",
  ).length;

interface Said {
  text: string;
  permissions: number;
  turns: number;
}

/** The agent's own words behind the opening of its session, read without the help of the code under test. */
const saidIn = (stdout: Buffer, after: number): Said => {
  const said: Said = { text: "", permissions: 0, turns: 0 };
  for (const { bytes, from } of new LineSplitter(0).push(stdout)) {
    if (from < after) continue;
    const message = JSON.parse(bytes.toString());
    const update = message.params?.update;
    if (update?.sessionUpdate === "agent_message_chunk")
      said.text += update.content.text;
    if (message.method === "session/request_permission") said.permissions += 1;
    if (
      message.method === undefined &&
      /\.prompt\.prm_/.test(String(message.id))
    )
      said.turns += 1;
  }
  return said;
};

const difference = (wrote: string, recorded: string): string => {
  let at = 0;
  while (at < wrote.length && wrote[at] === recorded[at]) at += 1;
  const show = (text: string) =>
    JSON.stringify(text.slice(Math.max(0, at - 40), at + 60));
  return `from character ${at} on the agent wrote ${show(wrote)} (${wrote.length}), the journal says ${show(recorded)} (${recorded.length})`;
};
