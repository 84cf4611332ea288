import type { Event } from "../../../src/contract/event/event.ts";
import { tagIn } from "../user/speech.ts";
import type { Check, Evidence } from "./evidence.ts";

/** P5: every question was answered or closed with a reason, and an answer that was acknowledged is the one that counted. */
export const checkPermissions: Check = (evidence) => {
  const { play, journal, violations } = evidence;
  const answers = new Map<string, string>();
  const open = new Set<string>();
  for (const event of journal)
    switch (event.type) {
      case "session.permission.requested":
        open.add(event.data.permission.id);
        break;
      case "session.permission.answered":
        answers.set(event.data.id, event.data.option_id);
        break;
      case "session.permission.delivered":
      case "session.permission.closed":
        open.delete(event.data.id);
        break;
      default:
        break;
    }
  for (const id of open)
    violations.add(
      "P5",
      play.name,
      `the question ${id} was neither answered nor closed`,
    );
  for (const { permission, option } of play.answered)
    if (answers.get(permission) !== option)
      violations.add(
        "P5",
        play.name,
        `${permission} was answered with ${option}, the journal has ${answers.get(permission) ?? "nothing"}`,
      );
  checkChoices(evidence, answers);
};

/** What the agent says was chosen is what was answered; what was not allowed it has not written. */
const checkChoices = (
  { play, journal, violations }: Evidence,
  answers: ReadonlyMap<string, string>,
): void => {
  for (const turn of turnsOf(journal)) {
    if (!turn.completed) continue;
    const asked = turn.events.flatMap((event) =>
      event.type === "session.permission.requested"
        ? [event.data.permission]
        : [],
    );
    const questions = asked.filter(({ tool_kind }) => tool_kind === "other");
    const chosen = [...turn.text.matchAll(/^You chose (\w+)\.$/gm)].map(
      ([, kind]) => kind,
    );
    const answered = questions.map(({ id }) => answers.get(id));
    if (chosen.join() !== answered.join())
      violations.add(
        "P5",
        play.name,
        `in turn ${turn.number} the agent was told ${chosen.join()}, the answers were ${answered.join()}`,
      );
    const sent = play.sent.find(({ tag }) => tag === turn.tag);
    if (sent?.asksToWrite == null) continue;
    const writes = asked.filter(({ tool_kind }) => tool_kind === "edit");
    const allowed = writes.some(({ id }) =>
      answers.get(id)?.startsWith("allow"),
    );
    // Whether the file is there is for its checkpoints to show.
    if (turn.text.includes(`I wrote ${sent.asksToWrite}.`) !== allowed)
      violations.add(
        "P5",
        play.name,
        `${sent.asksToWrite} ${allowed ? "was allowed and not written" : "was written and not allowed"}`,
      );
  }
};

interface Turn {
  number: number;
  tag: string | null;
  events: Event[];
  text: string;
  completed: boolean;
}

const turnsOf = (journal: readonly Event[]): Turn[] => {
  const turns: Turn[] = [];
  const tags = new Map<string, string | null>();
  for (const event of journal) {
    const last = turns.at(-1);
    if (event.type === "session.prompt.queued")
      tags.set(event.data.prompt_id, tagIn(event.data.text));
    if (event.type === "session.turn.started")
      turns.push({
        number: event.data.turn,
        tag: tags.get(event.data.prompt_id) ?? null,
        events: [],
        text: "",
        completed: false,
      });
    if (last === undefined) continue;
    last.events.push(event);
    if (
      event.type === "session.message.added" &&
      event.data.message.role === "agent"
    )
      last.text += event.data.message.text;
    if (event.type === "session.message.updated")
      last.text += event.data.append ?? "";
    if (event.type === "session.turn.ended" && event.data.turn === last.number)
      last.completed = event.data.outcome === "completed";
  }
  return turns;
};
