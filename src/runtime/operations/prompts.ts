import type { ContentBlock } from "../../contract/content.ts";
import { textOf } from "../../contract/content.ts";
import type { PromptId, SessionId } from "../../contract/id.ts";
import { RepriseError } from "../../contract/problem.ts";
import { Prompt } from "../../contract/prompt.ts";
import type { PromptRequest, ResolveRequest } from "../../contract/request.ts";
import type { NewPrompt } from "../../session/command.ts";
import type { State } from "../../session/state.ts";
import { CONTINUE } from "../continue-words.ts";
import type { Environment } from "../caller-environments.ts";
import { eventsOf } from "../journal-reader.ts";
import { answeredBefore } from "../once.ts";
import type { Store } from "../ports.ts";
import type { House } from "./house.ts";
import { otherCredentials } from "./other-credentials.ts";
import { rememberCaller } from "./remember-caller.ts";
import { askSession } from "./session-wish.ts";

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

  resolvePrompt: (
    session: SessionId,
    id: PromptId,
    { action, caller_env }: ResolveRequest,
    key?: string,
  ) =>
    askSession(house, {
      session,
      key,
      request: { operation: "resolve", id, action },
      answer: Prompt,
      begin: async (kept) => {
        if (action !== "drop") await house.room.check();
        await showPrompt(house, session, id);
        const given = await givenBy(house, session, caller_env);
        const by = await replacement(house, session, id, action, given);
        await house.engine.issue(
          session,
          { type: "prompt.resolve", prompt_id: id, action, by },
          kept,
        );
      },
      again: async () => {
        await givenBy(house, session, caller_env);
      },
      finish: () => showPrompt(house, session, id),
    }),
});

/** What a prompt says about the credentials of who sends it. Who sends no environment takes whatever the agent has. */
type Given = Pick<NewPrompt, "credentials" | "not_with_epoch">;

const givenBy = async (
  house: House,
  session: SessionId,
  caller_env: Environment | undefined,
): Promise<Given> => {
  const state = await house.engine.state(session);
  const sent = rememberCaller(house, state, caller_env);
  if (caller_env === undefined) return {};
  const caller = house.callers.of(session, sent.credentials);
  return { ...sent, ...(await otherCredentials(house, session, caller)) };
};

/** What is queued instead of a prompt that was cut short or of which nothing is known. */
const replacement = async (
  house: House,
  session: SessionId,
  id: PromptId,
  action: ResolveRequest["action"],
  given: Given,
): Promise<NewPrompt | null> => {
  if (action === "drop") return null;
  const { ids, store, engine } = house;
  const { unresolved } = await engine.state(session);
  const { credentials } = unresolved.find((each) => each.id === id) ?? {};
  const content =
    action === "resend"
      ? await originalContent(store, session, id)
      : [{ type: "text" as const, text: CONTINUE }];
  // Who decides without credentials decides for who sent it.
  const sent = credentials === undefined ? {} : { credentials };
  return { prompt_id: ids.prompt(), content, ...sent, ...given };
};

/** As it was given, images and all: from the journal. */
const originalContent = async (
  store: Store,
  session: SessionId,
  id: PromptId,
): Promise<readonly ContentBlock[]> => {
  for await (const event of eventsOf(store, session))
    if (event.type === "session.prompt.queued" && event.data.prompt_id === id)
      return event.data.content;
  throw new Error(`${id} was admitted and is not in the journal`);
};

/** Answers once the prompt is durable. The same key gives the first answer (P1). */
const queuePrompt = async (
  house: House,
  session: SessionId,
  request: PromptRequest,
  key?: string,
): Promise<Prompt> => {
  const { caller_env } = request;
  house.recovery.touchSoon(session);
  // Each may wait for an answer of agentctl first: they enter the queue in the order in which they came.
  const { queueing } = await house.lanes.run(
    `prompts for ${session}`,
    async () => {
      const given = await givenBy(house, session, caller_env);
      return { queueing: enqueue(house, session, request, given, key) };
    },
  );
  return queueing;
};

const enqueue = (
  { engine, store, ids, room }: House,
  session: SessionId,
  request: PromptRequest,
  given: Given,
  key: string | undefined,
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
      { type: "prompt.queue", prompt_id, content, ...given },
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
