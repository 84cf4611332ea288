import type { ContentBlock } from "../../contract/base/content.ts";
import { textOf } from "../../contract/base/content.ts";
import { limitsOf } from "../../contract/agent/prompt-limits.ts";
import type { PromptId, SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { Prompt } from "../../contract/session/prompt.ts";
import type {
  PromptRequest,
  ResolveRequest,
} from "../../contract/api/request.ts";
import type { NewPrompt } from "../../session/state/command.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { State } from "../../session/state/state.ts";
import { continuePrompt } from "../messages/continue-prompt.ts";
import { attachAgent } from "./attach-agent.ts";
import { answeredBefore } from "../../journal/receipts.ts";
import { limitsOfCut, promptContent } from "../messages/prompt-content.ts";
import type { OperationDeps } from "./operation-deps.ts";
import {
  rememberAsker,
  rememberCaller,
  type SentWith,
} from "./remember-caller.ts";
import { askSession } from "./session-wish.ts";

export const promptOperations = (deps: OperationDeps) => ({
  queuePrompt: (session: SessionId, request: PromptRequest, key?: string) =>
    queuePrompt(deps, session, request, key),
  queueKnownPrompt: (session: SessionId, prompt: KnownPrompt) =>
    queueKnownPrompt(deps, session, prompt),
  showPrompt: (session: SessionId, id: PromptId) =>
    showPrompt(deps, session, id),

  cancelPrompt: async (session: SessionId, id: PromptId) => {
    await showPrompt(deps, session, id);
    await deps.engine.issue(session, { type: "prompt.cancel", prompt_id: id });
    return showPrompt(deps, session, id);
  },

  resolvePrompt: (
    session: SessionId,
    id: PromptId,
    { action, caller_env }: ResolveRequest,
    key?: string,
  ) =>
    askSession(deps, {
      session,
      key,
      request: { operation: "resolve", id, action },
      answer: Prompt,
      begin: async (kept) => {
        if (action !== "drop") await deps.room.check();
        await showPrompt(deps, session, id);
        await deps.engine.exclusively(session, async (state) => {
          const sent = rememberCaller(deps, state, caller_env);
          const content = await replacing(deps, state, id, action);
          const by =
            content === null
              ? null
              : await replacement(deps, state, id, content);
          return {
            command: {
              type: "prompt.resolve",
              prompt_id: id,
              action,
              by: by && { ...by, ...sent },
            },
            extras: kept,
            answer: () => undefined,
          };
        });
      },
      again: () => rememberAsker(deps, session, caller_env),
      finish: () => showPrompt(deps, session, id),
    }),
});

/** The content of what is queued instead of a prompt that was cut short or of which nothing is known. */
const replacing = async (
  { store }: OperationDeps,
  state: State,
  id: PromptId,
  action: ResolveRequest["action"],
): Promise<readonly ContentBlock[] | null> => {
  switch (action) {
    case "drop":
      return null;
    case "resend":
      return resentContent(store, state, id);
    case "continue":
      return continuePrompt(store, state, id);
    default:
      return unreachable(action);
  }
};

/** Who decides without credentials decides for who sent it. What held for its turn holds for the one in its place. */
const replacement = async (
  { ids, store }: OperationDeps,
  state: State,
  id: PromptId,
  content: readonly ContentBlock[],
): Promise<NewPrompt> => {
  const { credentials } =
    state.prompts.unresolved.find((each) => each.id === id) ?? {};
  const sent: SentWith = credentials === undefined ? {} : { credentials };
  const limits = await limitsOfCut(store, state, id);
  return { prompt_id: ids.prompt(), content, ...sent, ...limits };
};

/** Null where nothing is left to decide about it. */
const resentContent = async (
  store: OperationDeps["store"],
  { id: session, prompts: { unresolved } }: State,
  id: PromptId,
): Promise<readonly ContentBlock[] | null> => {
  const cut = unresolved.find((each) => each.id === id);
  return cut === undefined
    ? null
    : promptContent(store, session, cut.content_seq);
};

/** Answers once the prompt is durable. The same key gives the first answer (P1). */
const queuePrompt = (
  deps: OperationDeps,
  session: SessionId,
  request: PromptRequest,
  key?: string,
): Promise<Prompt> => {
  const { engine, receipts, ids, room } = deps;
  void attachAgent(deps, "prompt", session);
  const content = contentOf(request);
  const limits = limitsOf(request);
  return engine.exclusively(session, async (now) => {
    const sent = rememberCaller(deps, now, request.caller_env);
    const before =
      key === undefined
        ? null
        : await answeredBefore(receipts, session, key, { content, ...limits });
    if (before !== null && "answer" in before) {
      const known = Prompt.parse(JSON.parse(before.answer));
      return { command: null, answer: () => known };
    }
    await room.check();
    const prompt_id = ids.prompt();
    const promptIn = (state: State): Prompt => ({
      id: prompt_id,
      session_id: session,
      turn: turnOf(state, prompt_id),
      state: "queued",
      text: textOf(content),
      ...limits,
    });
    return {
      command: { type: "prompt.queue", prompt_id, content, ...sent, ...limits },
      extras:
        before === null
          ? {}
          : { receipt: (after) => before.receipt(promptIn(after)) },
      answer: promptIn,
    };
  });
};

interface KnownPrompt {
  id: PromptId;
  text: string;
  caller_env?: Record<string, string> | undefined;
}

/** Queues a prompt whose id was chosen before, unless the session has it: whoever is not sure does it again. */
const queueKnownPrompt = async (
  deps: OperationDeps,
  session: SessionId,
  { id, text, caller_env }: KnownPrompt,
): Promise<void> => {
  const { engine, store, room, recovery } = deps;
  recovery.touchSoon(session);
  await engine.exclusively(session, async (now) => {
    const sent = rememberCaller(deps, now, caller_env);
    const isKnown = (await store.prompt(session, id)) !== null;
    if (!isKnown) await room.check();
    return {
      command: isKnown
        ? null
        : {
            type: "prompt.queue",
            prompt_id: id,
            content: contentOf({ text }),
            ...sent,
          },
      answer: () => undefined,
    };
  });
};

const contentOf = ({ text, content }: PromptRequest): ContentBlock[] =>
  content ?? [{ type: "text", text: text ?? "" }];

const turnOf = ({ lifecycle }: State, prompt: PromptId): number | null =>
  lifecycle.name === "RUNNING" && lifecycle.turn.prompt_id === prompt
    ? lifecycle.turn.number
    : null;

const showPrompt = async (
  { engine, store }: OperationDeps,
  session: SessionId,
  id: PromptId,
): Promise<Prompt> => {
  const prompt = await store.prompt(session, id);
  if (prompt !== null) return prompt;
  await engine.state(session);
  throw new RepriseError(
    "prompt_not_found",
    `The session has no prompt ${id}.`,
  );
};
