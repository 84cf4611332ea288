/** What becomes of prompts and turns. */
import { textOf } from "../../contract/base/content.ts";
import type { PromptId } from "../../contract/base/id.ts";
import { fitting } from "../../contract/base/text-limit.ts";
import type { EventDataOf } from "../../contract/event/event.ts";
import { MARK_PROMPT, type TurnStanding } from "../../contract/session/line.ts";
import type { Message } from "../../contract/session/message.ts";
import { inTurn, isTurn, newestTurn } from "./entry.ts";
import { isSame } from "./knowledge.ts";
import { added } from "./parts.ts";
import type { Line } from "../state/line.ts";

export const wait = (line: Line, id: PromptId, text: string): Line => ({
  ...line,
  waiting: [
    ...line.waiting,
    { id, prompt: text.slice(0, fitting(text, MARK_PROMPT)) },
  ],
});

export const stopWaiting = (line: Line, prompt: PromptId): Line => ({
  ...line,
  waiting: line.waiting.filter(({ id }) => id !== prompt),
});

/** A turn whose prompt was given back was not had. It may begin again, with the same number. */
export const givenBack = (
  line: Line,
  { prompt_id, turn, content }: EventDataOf<"session.prompt.requeued">,
): Line => ({
  ...wait(line, prompt_id, textOf(content)),
  entries: line.entries.filter(
    (entry) => !isTurn(entry) || entry.turn !== turn,
  ),
  asking: [],
});

export const turnStarted = (
  line: Line,
  { turn, prompt_id }: EventDataOf<"session.turn.started">,
  at: string,
): Line => {
  const prompt = line.waiting.find(({ id }) => id === prompt_id)?.prompt ?? "";
  const begun = added(stopWaiting(line, prompt_id), {
    kind: "turn",
    at,
    turn,
    prompt,
    outcome: "running",
    changes: null,
    capture: null,
  });
  return {
    ...withKnown(withCounts(begun, turn), turn),
    last: Math.max(line.last, turn),
    asking: [],
  };
};

/** What is said from now on belongs to another turn. One that begins again goes on being counted. */
const withCounts = (line: Line, turn: number): Line =>
  line.said.turn === turn
    ? line
    : {
        ...line,
        messages:
          line.said.turn === 0 ? line.messages : [...line.messages, line.said],
        said: { turn, messages: 0 },
      };

const withKnown = (line: Line, turn: number): Line => {
  const { knows, knew } = line;
  const before = knew.at(-1)?.knows;
  return before !== undefined && isSame(before, knows)
    ? line
    : { ...line, knew: [...knew, { turn, knows }] };
};

export const stands = (
  line: Line,
  turn: number,
  outcome: TurnStanding,
): Line => ({
  ...line,
  entries: inTurn(line.entries, turn, { outcome }),
  asking: [],
});

/** The turn may have been cut off by the end of its execution. */
export const cut = (line: Line, turn: number | null): Line => ({
  ...line,
  execution: line.execution && { ...line.execution, cut: turn },
});

export const asking = (line: Line, ids: Line["asking"]): Line => {
  const turn = newestTurn(line.entries);
  if (turn?.outcome !== "running" && turn?.outcome !== "asks") return line;
  const outcome = ids.length > 0 ? "asks" : "running";
  return {
    ...line,
    asking: ids,
    entries:
      outcome === turn.outcome
        ? line.entries
        : inTurn(line.entries, turn.turn, { outcome }),
  };
};

/** Counts what a history tells of: neither thoughts nor what goes on with another message. */
export const counted = (line: Line, message: Message): Line => {
  const { role, continues, turn } = message;
  const isTold =
    continues === undefined && role !== "thought" && role !== "notice";
  if (!isTold || turn === 0) return line;
  const { said } = line;
  if (turn === said.turn)
    return { ...line, said: { turn, messages: said.messages + 1 } };
  return said.turn === 0 ? { ...line, inherited: line.inherited + 1 } : line;
};
