/** The typed client, for Node and for the browser: nothing here but what both have. */
import type { Event } from "../contract/event/event.ts";
import type { TaskEvent } from "../contract/task/task-event.ts";
import type { Message } from "../contract/session/message.ts";
import type {
  CreateSessionInput,
  ImportInput,
  DefinitionChangeInput,
  PromptInput,
  ResolveRequest,
  ResumeInput,
} from "../contract/api/request.ts";
import type {
  OpenShellRequest,
  ShellSize,
} from "../contract/api/shell/shell-route.ts";
import type { MostRecentRequest } from "../contract/api/find-route.ts";
import type { ExecInput } from "../contract/api/run-route.ts";
import type { HomeChange } from "../contract/api/stream-route.ts";
import type { ConversationWindow } from "../contract/api/window-route.ts";
import {
  type Address,
  type Answer,
  type CallName,
  type Given,
  type Keyed,
  type Server,
  call,
} from "./call.ts";
import { exportSession, importSession } from "./archive.ts";
import { checking } from "./reading/checking.ts";
import { taskMethods } from "./task-methods.ts";
import { workspaceMethods } from "./workspace-methods.ts";
import { type FollowOptions, follow, followHome, followTask } from "./feed.ts";
import {
  type Connection,
  type ConnectionOptions,
  type ConnectionState,
  openConnection,
} from "./live/connection.ts";
import { messageId, messageIdIn, type MessageId } from "../contract/base/id.ts";

export { ofLaterRelease } from "./event.ts";
export { WindowFold } from "../session/view/window-fold.ts";
export { ServerUnreachable } from "./unreachable-server.ts";
export type {
  Address,
  Answer,
  CallName,
  Connection,
  ConnectionOptions,
  ConnectionState,
  ConversationWindow,
  FollowOptions,
  Given,
  HomeChange,
};

/** What the server says is held against the contract. */
export const connect = (address: Address) => {
  const server: Server = {
    url: address.url,
    // Whoever has the address may change it, as a token changes.
    get token() {
      return address.token;
    },
    get fetch() {
      return address.fetch;
    },
    reading: checking,
  };
  const { url, call, ...others } = callsOf(server);
  return {
    url,
    /** Any route of the contract by its name. */
    call,
    /** Everything after a cursor, without end: breaks of the connection are healed, gaps and duplicates impossible. */
    follow: (id: string, options?: FollowOptions): AsyncIterable<Event> =>
      follow(server, id, options),
    /** The same for the events of a task. */
    followTask: (
      id: string,
      options?: FollowOptions,
    ): AsyncIterable<TaskEvent> => followTask(server, id, options),

    /**
     * What changes in all sessions and tasks, from now on or behind a cursor, without end. Each comes as it stands: what changed
     * several times while nobody listened comes once.
     */
    followHome: (options?: FollowOptions): AsyncIterable<HomeChange> =>
      followHome(server, options),
    /** The whole conversation, oldest message first, a page at a time. */
    allMessages: (id: string): AsyncGenerator<Message> =>
      allMessages((query) => call("listMessages", { params: { id }, query })),
    /** Takes in what `exportSession` gave; its workspace goes to `cwd`, which must not be there yet. */
    importSession: (file: Blob, query: ImportInput = {}, { key }: Keyed = {}) =>
      importSession(server, file, query, key),
    ...others,
  };
};

/** What the page calls too: it follows over its WebSocket, reads a conversation in windows and takes in no sessions. */
export const callsOf = (server: Server) => {
  const ask = <N extends CallName>(name: N, given: Given<N>) =>
    call(server, name, given);
  const session = (id: string) => ({ params: { id } });
  const prompt = (id: string, prompt_id: string) => ({
    params: { id, prompt_id },
  });
  return {
    url: server.url,
    /** Any route of the contract by its name. */
    call: ask,

    /** One WebSocket over which any number of sessions and the home are followed. To be closed. */
    live: (options?: ConnectionOptions): Connection =>
      openConnection(server, options),

    health: () => ask("health", {}),
    createSession: (body: CreateSessionInput, { key }: Keyed = {}) =>
      ask("createSession", { body, key }),
    listSessions: (query: Given<"listSessions">["query"] = {}) =>
      ask("listSessions", { query }),
    /** The session of an agent and a directory that was last asked something; the same key chooses the same one again. */
    chooseMostRecent: (body: MostRecentRequest, { key }: Keyed = {}) =>
      ask("chooseMostRecent", { body, key }),
    /** The prompts that were given with a key, in whatever session. */
    findPrompts: (key: string, after?: string) =>
      ask("findPrompts", { query: { key, after } }),
    showSession: (id: string) => ask("showSession", session(id)),
    /** Answered once the agent that runs has confirmed it; a refusal changes nothing. */
    changeSession: (
      id: string,
      body: Given<"changeSession">["body"],
      { key }: Keyed = {},
    ) => ask("changeSession", { ...session(id), body, key }),
    /** What it went through, in marks. `lineFrom` and `evolveLine` go on from the answer with the events behind it. */
    showLine: (id: string) => ask("showLine", session(id)),
    sessionStatus: (id: string) => ask("sessionStatus", session(id)),
    resumeSession: (id: string, { key, ...body }: Keyed & ResumeInput = {}) =>
      ask("resumeSession", { ...session(id), body, key }),
    pauseSession: (id: string, { key }: Keyed = {}) =>
      ask("pauseSession", { ...session(id), body: {}, key }),
    endSession: (
      id: string,
      body: Given<"endSession">["body"] = {},
      { key }: Keyed = {},
    ) => ask("endSession", { ...session(id), body, key }),
    cancelTurn: (id: string, { key }: Keyed = {}) =>
      ask("cancelTurn", { ...session(id), body: {}, key }),
    recoverSession: (id: string, { key }: Keyed = {}) =>
      ask("recoverSession", { ...session(id), body: {}, key }),
    /** The newest page of the conversation, or the page at a cursor. */
    listMessages: (id: string, query: Given<"listMessages">["query"] = {}) =>
      ask("listMessages", { ...session(id), query }),
    /** The part of the conversation that a screen opens with. Follow from its `seq`. */
    showWindow: async (
      id: string,
      query: Given<"showWindow">["query"] = {},
    ): Promise<ConversationWindow> => {
      const window = await ask("showWindow", { ...session(id), query });
      const events = window.events.map((each) => server.reading.event(each));
      return { ...window, events };
    },
    listEvents: async (
      id: string,
      query: Given<"listEvents">["query"] = {},
    ): Promise<{ events: Event[]; next: string | null }> => {
      const page = await ask("listEvents", { ...session(id), query });
      return {
        events: page.events.map((each) => server.reading.event(each)),
        next: page.next,
      };
    },

    queuePrompt: (id: string, body: PromptInput, { key }: Keyed = {}) =>
      ask("queuePrompt", { ...session(id), body, key }),
    showPrompt: (id: string, prompt_id: string) =>
      ask("showPrompt", prompt(id, prompt_id)),
    cancelPrompt: (id: string, prompt_id: string) =>
      ask("cancelPrompt", prompt(id, prompt_id)),
    resolvePrompt: (
      id: string,
      prompt_id: string,
      action: ResolveRequest["action"],
      { key, ...caller }: Keyed & Omit<ResolveRequest, "action"> = {},
    ) =>
      ask("resolvePrompt", {
        ...prompt(id, prompt_id),
        body: { action, ...caller },
        key,
      }),
    answerPermission: (
      id: string,
      request_id: string,
      option_id: string,
      { key }: Keyed = {},
    ) =>
      ask("answerPermission", {
        params: { id, request_id },
        body: { option_id },
        key,
      }),

    ...workspaceMethods(server),
    listCheckpoints: (id: string) => ask("listCheckpoints", session(id)),
    showDiff: (id: string, query: Given<"showDiff">["query"] = {}) =>
      ask("showDiff", { ...session(id), query }),
    rewindSession: (
      id: string,
      body: Given<"rewindSession">["body"],
      { key }: Keyed = {},
    ) => ask("rewindSession", { ...session(id), body, key }),
    forkSession: (
      id: string,
      body: Given<"forkSession">["body"] = {},
      { key }: Keyed = {},
    ) => ask("forkSession", { ...session(id), body, key }),
    handOffSession: (
      id: string,
      to: string | { agent?: string; agent_profile_id?: string },
      { key, ...changes }: Keyed & DefinitionChangeInput = {},
    ) =>
      ask("handOffSession", {
        ...session(id),
        body: { ...(typeof to === "string" ? { agent: to } : to), ...changes },
        key,
      }),
    deleteSession: (id: string) => ask("deleteSession", session(id)),
    purgeSession: (id: string, { key }: Keyed = {}) =>
      ask("purgeSession", { ...session(id), body: {}, key }),
    undeleteSession: (id: string, { key }: Keyed = {}) =>
      ask("undeleteSession", { ...session(id), body: {}, key }),
    /** A session as one file, piece by piece. */
    exportSession: (id: string) => exportSession(server, id),
    /** Runs a command in the workspace; answered when it is over. It is ended when the signal aborts. */
    execCommand: (
      id: string,
      body: ExecInput,
      { key, signal }: Keyed & { signal?: AbortSignal } = {},
    ) =>
      ask("execCommand", {
        ...session(id),
        body,
        key,
        ...(signal && { signal }),
      }),
    /** What the session's agents, commands and shells have running. */
    listProcesses: (id: string) => ask("listProcesses", session(id)),
    endProcess: (id: string, process_id: string) =>
      ask("endProcess", { params: { id, process_id } }),
    collectGarbage: (
      body: Given<"collectGarbage">["body"] = {},
      { key }: Keyed = {},
    ) => ask("collectGarbage", { body, key }),
    openShell: (id: string, { key, ...body }: Keyed & OpenShellRequest = {}) =>
      ask("openShell", { ...session(id), body, key }),
    listShells: (id: string) => ask("listShells", session(id)),
    showShell: (id: string, shell_id: string) =>
      ask("showShell", { params: { id, shell_id } }),
    resizeShell: (id: string, shell_id: string, body: ShellSize) =>
      ask("resizeShell", { params: { id, shell_id }, body }),
    /** Ends it with all it started; answered when that is gone. */
    closeShell: (id: string, shell_id: string) =>
      ask("closeShell", { params: { id, shell_id } }),
    showDamage: () => ask("showDamage", {}),
    showDiskUse: (query: Given<"showDiskUse">["query"] = {}) =>
      ask("showDiskUse", { query }),

    ...taskMethods(server),
    listWebhooks: () => ask("listWebhooks", {}),
    listDeliveries: (query: Given<"listDeliveries">["query"] = {}) =>
      ask("listDeliveries", { query }),
    testWebhook: (id: string, { key }: Keyed = {}) =>
      ask("testWebhook", { params: { id }, body: {}, key }),
    switchOnWebhook: (id: string) =>
      ask("switchOnWebhook", { params: { id }, body: {} }),
    listRaces: (query: Given<"listRaces">["query"] = {}) =>
      ask("listRaces", { query }),
    showRace: (name: string) => ask("showRace", { params: { name } }),
    listAgents: () => ask("listAgents", {}),
    listExecutors: () => ask("listExecutors", {}),
  };
};

export type Client = ReturnType<typeof connect>;
export type Calls = ReturnType<typeof callsOf>;

type FetchPage = (query: {
  after: MessageId;
}) => Promise<{ messages: readonly Message[]; next: string | null }>;

/** Every message from the first on. A page is held at a time, however long the conversation is. */
async function* allMessages(fetchPage: FetchPage) {
  let after: MessageId | null = messageId(0);
  while (after !== null) {
    const { messages, next }: Awaited<ReturnType<FetchPage>> = await fetchPage({
      after,
    });
    yield* messages;
    after = next === null ? null : messageIdIn(next);
  }
}
