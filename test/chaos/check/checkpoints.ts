import { isDeepStrictEqual } from "node:util";
import type { Checkpoint } from "../../../src/contract/session/checkpoint.ts";
import type { Event } from "../../../src/contract/event/event.ts";
import { spoken } from "../../e2e/house.ts";
import { MOUNT_POINT } from "../file-systems/mount-point.ts";
import { MAPPED, tagIn, type Leaf } from "../user/speech.ts";
import type { Check, Evidence } from "./evidence.ts";
import { Expected } from "./expected.ts";
import type { Leaves } from "./restored.ts";

/** P3: every checkpoint that the journal names can be restored, and holds what the turns up to it left. */
export const checkCheckpoints: Check = async (evidence) => {
  const { play, journal, violations } = evidence;
  const expected = new Expected();
  const leavesById = new Map<string, Leaves>();
  const leavesOf = leavesByPrompt(evidence);
  let begun = 0;
  let isKnown = !play.disturbed;
  for (const event of journal)
    switch (event.type) {
      case "session.turn.started":
        begun = event.seq;
        expected.turnStarted(leavesOf.get(event.data.prompt_id) ?? []);
        break;
      case "session.turn.ended":
        if (event.data.outcome === "completed")
          expected.turnCompleted(spoken(journal.slice(begun, event.seq)));
        else expected.turnCutOff();
        break;
      case "session.turn.interrupted":
      case "session.prompt.requeued":
      case "session.prompt.uncertain":
        expected.turnCutOff();
        break;
      case "session.rewound": {
        const leaves = leavesById.get(event.data.checkpoint_id);
        if (leaves !== undefined) expected.becomes(leaves);
        break;
      }
      case "session.rewind.failed":
        // Whether the workspace of a session that was ended meanwhile went back is not said.
        if (event.data.code === "session_ended") isKnown = false;
        // Something was mounted in it while the rewind was under way.
        else if (event.data.code === "rewind_conflict" && play.disturbed) break;
        else
          violations.add(
            "CPT-7",
            play.name,
            `a rewind failed: ${event.data.code} ${event.data.message}`,
          );
        break;
      case "session.checkpoint.saved":
      case "session.checkpoint.partial": {
        const { checkpoint } = event.data;
        const leaves = await restored(evidence, checkpoint);
        if (leaves === null) break;
        leavesById.set(checkpoint.id, leaves);
        if (isInherited(journal, event)) {
          checkInherited(evidence, checkpoint);
          expected.becomes(leaves);
        }
        const wrong = expected.hold(
          leaves,
          new Set([...checkpoint.unstable, MAPPED, MOUNT_POINT]),
        );
        if (wrong.length > 0 && isKnown)
          violations.add(
            "P3",
            play.name,
            `${checkpoint.id} (${checkpoint.kind} of turn ${checkpoint.turn}): ${wrong.slice(0, 5).join("; ")}`,
          );
        break;
      }
      default:
        break;
    }
};

/** Null when it cannot be restored. The agent's own files must be there too. */
const restored = async (
  { play, violations, vault }: Evidence,
  { id, kind, turn, tree, agent_state }: Checkpoint,
): Promise<Leaves | null> => {
  const read = async (what: string, hash: string): Promise<Leaves | null> => {
    try {
      return await vault.leaves(hash);
    } catch (error) {
      violations.add(
        "P3",
        play.name,
        `${id} (${kind} of turn ${turn}): ${what} ${hash} cannot be restored: ${String(error)}`,
      );
      return null;
    }
  };
  if (agent_state !== null) await read("the agent's state", agent_state);
  return tree === null ? null : read("the workspace", tree);
};

const leavesByPrompt = ({ play, journal }: Evidence): Map<string, Leaf[]> => {
  const byTag = new Map(play.sent.map(({ tag, leaves }) => [tag, leaves]));
  return new Map(
    journal.flatMap((event) =>
      event.type === "session.prompt.queued"
        ? [
            [
              event.data.prompt_id,
              byTag.get(tagIn(event.data.text) ?? "") ?? [],
            ],
          ]
        : [],
    ),
  );
};

/** CPT-10: a fork begins with a checkpoint of the session it came from. */
const isInherited = (journal: readonly Event[], { seq }: Event): boolean =>
  journal[seq - 2]?.type === "session.forked";

const checkInherited = (
  { play, journals, violations }: Evidence,
  { tree, turn }: Checkpoint,
): void => {
  const { parent } = play;
  const theirs = (parent && journals.get(parent.play)) ?? [];
  const isTheirs = theirs.some(
    ({ type, data }) =>
      type.startsWith("session.checkpoint.") &&
      "checkpoint" in data &&
      data.checkpoint.turn === turn &&
      data.checkpoint.tree === tree,
  );
  if (!isTheirs || turn !== parent?.turn)
    violations.add(
      "CPT-10",
      play.name,
      `it was forked from turn ${parent?.turn} of ${parent?.play.name}, and begins with ${tree} of turn ${turn}`,
    );
};

/** P3, byte for byte: what was on the disk when nothing ran is what the checkpoint of that moment restores. */
export const checkRests: Check = async ({ play, violations, vault }) => {
  for (const { seq, tree, listing } of play.rests) {
    const stored = await vault.listing(tree).catch(() => null);
    if (stored === null || isDeepStrictEqual(stored, listing)) continue;
    const was = new Set(listing);
    const is = new Set(stored);
    violations.add(
      "P3",
      play.name,
      `at rest after event ${seq}, ${tree} lacks ${show(was.difference(is))} and has ${show(is.difference(was))}`,
    );
  }
};

const show = (lines: ReadonlySet<string>): string =>
  JSON.stringify([...lines].slice(0, 5));
