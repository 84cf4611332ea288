import type { ContentBlock } from "../../contract/content.ts";
import { textOf } from "../../contract/content.ts";
import type { PromptId, SessionId } from "../../contract/id.ts";
import { RepriseError } from "../../contract/problem.ts";
import { Prompt } from "../../contract/prompt.ts";
import type { PromptRequest, ResolveRequest } from "../../contract/request.ts";
import type { NewPrompt } from "../../session/command.ts";
import type { State } from "../../session/state.ts";
import { CONTINUE } from "../continue-words.ts";
import { answeredBefore } from "../once.ts";
import type { House } from "./house.ts";

export const promptOperations = (house: House) => ({
  queuePrompt: (session: SessionId, request: PromptRequest, key?: string) =>
    queuePrompt(house, session, request, key),
  showPrompt: (session: SessionId, id: PromptId) =>
    showPrompt(house, session, id),

  cancelPrompt: async (session: SessionId, id: PromptId) => {
    await showPrompt(house, session, id);
    await house.engine.issue(session, { type: "prompt.cancel", prompt_id: id });
    return showPrompt(house, session, id);
  },

  resolvePrompt: async (
    session: SessionId,
    id: PromptId,
    { action }: ResolveRequest,
  ) => {
    if (action !== "drop") await house.room.check();
    const { text } = await showPrompt(house, session, id);
    const instead = (words: string): NewPrompt => ({
      prompt_id: house.ids.prompt(),
      content: [{ type: "text", text: words }],
    });
    const by =
      action === "drop" ? null : instead(action === "resend" ? text : CONTINUE);
    await house.engine.issue(session, {
      type: "prompt.resolve",
      prompt_id: id,
      action,
      by,
    });
    return showPrompt(house, session, id);
  },
});

/** Answers once the prompt is durable. The same key gives the first answer (P1). */
const queuePrompt = (
  { engine, store, ids, room }: House,
  session: SessionId,
  request: PromptRequest,
  key?: string,
): Promise<Prompt> => {
  const content = contentOf(request);
  return engine.exclusively(session, async (issue) => {
    const before =
      key === undefined
        ? null
        : await answeredBefore(store, session, key, { content });
    if (before !== null && "answer" in before)
      return Prompt.parse(JSON.parse(before.answer));
    await room.check();
    const prompt_id = ids.prompt();
    const promptIn = (state: State): Prompt => ({
      id: prompt_id,
      session_id: session,
      turn: turnOf(state, prompt_id),
      state: "queued",
      text: textOf(content),
    });
    const state = await issue(
      { type: "prompt.queue", prompt_id, content },
      before === null
        ? {}
        : { receipt: (after) => before.receipt(promptIn(after)) },
    );
    return promptIn(state);
  });
};

const contentOf = ({ text, content }: PromptRequest): ContentBlock[] =>
  content ?? [{ type: "text", text: text ?? "" }];

const turnOf = ({ lifecycle }: State, prompt: PromptId): number | null =>
  lifecycle.name === "RUNNING" && lifecycle.turn.prompt_id === prompt
    ? lifecycle.turn.number
    : null;

const showPrompt = async (
  { engine, store }: House,
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
