import type { AgentDefinition } from "../../contract/agent/agent.ts";
import {
  asBlock,
  briefingOf,
  limitsBlock,
  limitsTools,
} from "../../contract/agent/briefing.ts";
import { type ContentBlock, textOf } from "../../contract/base/content.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state/state.ts";
import { reminder, resumeContext } from "../../session/view/transcript.ts";
import { historyUpTo } from "../messages/history-window.ts";
import { askAgentctl } from "./ask-agentctl.ts";
import type { ReactorDeps } from "./reactor-deps.ts";
import { failureKind } from "../failures/failure-kind.ts";
import {
  runningTurn,
  turnsCut,
  turnsOnLine,
} from "../../session/state/turns.ts";

/**
 * Hands a prompt to agentctl. What may pass is tried again for as long as it takes; anything else for a while, and then the
 * session is told that it cannot be done.
 */
export const deliver = async (
  deps: ReactorDeps,
  state: State,
  intent: Extract<Intent, { kind: "deliver" }>,
  failingMs: number,
): Promise<void> => {
  try {
    await handOver(deps, state, intent);
  } catch (error) {
    if (mayPass(error) || failingMs < deps.deliveryMs) throw error;
    deps.log.error(
      { session_id: state.id, err: error },
      "a prompt cannot be delivered",
    );
    await deps.engine.issue(state.id, {
      type: "delivery.fail",
      prompt_id: intent.prompt_id,
      message: `The prompt could not be given to the agent: ${wordsOf(error)}. Cancel it, or resume to try again.`,
    });
  }
};

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Before the first prompt since the agent started come its instructions and what it does not remember. The limits of the
 * prompt come right before it: nobody knows beforehand whether the agent will ask for what they forbid.
 */
const handOver = async (
  deps: ReactorDeps,
  state: State,
  asked: Extract<Intent, { kind: "deliver" }>,
): Promise<void> => {
  const { execution_id, epoch, prompt_id } = asked;
  const limits = limitsBlock(asked.limits ?? {});
  const intent =
    limits === null
      ? asked
      : { ...asked, content: withBlock(limits, asked.content) };
  const { content: words, recorded } = await withMemory(deps, state, intent);
  const briefing = intent.brief
    ? briefingOf(state.agent.definition, ALL)
    : null;
  const content =
    briefing === null ? words : withBlock(asBlock(briefing), words);
  const text = textOf(content);
  const told = toldIn(briefing, state.agent.definition);
  if (text !== recorded || limits !== null)
    await deps.engine.issue(state.id, {
      type: "delivery.prepare",
      prompt_id,
      text,
      instructions: told.instructions,
      restrictions: told.restrictions || limits !== null,
    });
  return askAgentctl(deps, state, (place) =>
    place.prompt({ execution_id, epoch, prompt_id, content: [...content] }),
  );
};

const ALL = { tools: true };

const toldIn = (briefing: string | null, definition: AgentDefinition) => ({
  instructions:
    briefing !== null && briefingOf(definition, { tools: false }) !== null,
  restrictions: briefing !== null && limitsTools(definition),
});

/** In a block of its own: what the person said stays as it is. */
const withBlock = (
  text: string,
  content: readonly ContentBlock[],
): readonly ContentBlock[] => [{ type: "text", text }, ...content];

/** What the agent is given, and what the journal has of it as text. */
interface Remembered {
  content: readonly ContentBlock[];
  recorded: string;
}

const withMemory = async (
  deps: ReactorDeps,
  state: State,
  intent: Extract<Intent, { kind: "deliver" }>,
): Promise<Remembered> => {
  if (intent.inject) return withHistory(deps, state, intent);
  return intent.forgotten === 0
    ? { content: intent.content, recorded: queuedText(state) }
    : withReminder(deps, state, intent);
};

/** As it was queued, before the agent had told what it takes. */
const queuedText = (state: State): string => {
  const delivery = runningTurn(state)?.delivery;
  return delivery?.kind === "pending" ? textOf(delivery.content) : "";
};

/** In a block of its own too. */
const withReminder = async (
  { store, engine }: ReactorDeps,
  state: State,
  { prompt_id, content, forgotten }: Extract<Intent, { kind: "deliver" }>,
): Promise<Remembered> => {
  const turns = new Set(turnsCut(state).slice(-forgotten));
  const history = await historyUpTo(store, state.id, state.seq, (turn) =>
    turns.has(turn),
  );
  const { text, left_out } = reminder(history);
  const recorded = `${text}\n${textOf(content)}`;
  await engine.issue(state.id, {
    type: "history.inject",
    prompt_id,
    text: recorded,
    left_out,
  });
  return { content: [{ type: "text", text }, ...content], recorded };
};

const withHistory = async (
  { store, engine }: ReactorDeps,
  state: State,
  { prompt_id, content }: Extract<Intent, { kind: "deliver" }>,
): Promise<Remembered> => {
  const current =
    state.lifecycle.name === "RUNNING"
      ? state.lifecycle.turn.number
      : state.turns.last;
  const line = new Set(turnsOnLine(state));
  const history = await historyUpTo(
    store,
    state.id,
    state.seq,
    (turn) => turn < current && line.has(turn),
  );
  const words = content.filter(({ type }) => type === "text");
  const others = content.filter(({ type }) => type !== "text");
  const { text, left_out } = resumeContext(history, textOf(words));
  await engine.issue(state.id, {
    type: "history.inject",
    prompt_id,
    text,
    left_out,
  });
  return { content: [{ type: "text", text }, ...others], recorded: text };
};

/** Nothing is told about what may go well another time, or is nothing of this server's any more. */
const mayPass = (error: unknown): boolean => {
  const kind = failureKind(error);
  return kind === "passing" || kind === "left";
};
