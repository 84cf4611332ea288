/**
 * What a client may ask, method by method. The door is a client of the server: what it forgets when it is killed is in the
 * journal, besides what each client has been told (`cursor-file.ts`).
 */
import type {
  AgentContext,
  ContentBlock,
  InitializeRequest,
  InitializeResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptResponse,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
} from "@agentclientprotocol/sdk";
import { type Client, connect } from "../client/client.ts";
import { isOnHost } from "../contract/base/executor-name.ts";
import { SessionId } from "../contract/base/id.ts";
import type { Session } from "../contract/session/session.ts";
import { Lanes } from "../kit/time/lanes.ts";
import { callerEnv } from "../local/caller-env.ts";
import { homeOf } from "../local/home.ts";
import {
  reconnectingAddress,
  type ReconnectingOptions,
} from "../local/reconnecting-address.ts";
import { cancelTurn, isAtRest } from "./attachment.ts";
import { CursorFiles } from "./cursor-file.ts";
import { firstStart } from "./first-start.ts";
import { hello, LOGIN, type Self } from "./hello.ts";
import { checkLogin } from "./login.ts";
import { OpenSession } from "./open-session.ts";
import { SessionList, withoutLinks } from "./session-list.ts";
import { changeFor, type Choices, choicesOf } from "./translate/choices.ts";
import { contentOf } from "./translate/content.ts";
import { noSuchSession, unusable } from "./translate/failure.ts";
import { mcpServersOf } from "./translate/mcp-servers.ts";
import type { Wire } from "./wire.ts";

/** How long a cancelled turn may take to end before the agent is stopped. */
const CANCEL_MS = 5000;

export interface DoorOptions extends ReconnectingOptions, Self {}

export class Door {
  readonly #options: DoorOptions;
  readonly #wire: Wire;
  readonly #client: Client;
  readonly #list: SessionList;
  readonly #open = new Map<SessionId, OpenSession>();
  /** Opening, prompting and closing of one session come one after the other. */
  readonly #lanes = new Lanes();
  #files: CursorFiles;
  #notices = false;

  constructor(options: DoorOptions, wire: Wire) {
    this.#options = options;
    this.#wire = wire;
    this.#client = connect(
      reconnectingAddress({ ...options, keepsStopped: true }),
    );
    this.#list = new SessionList(this.#client, options);
    this.#files = new CursorFiles(homeOf(options), "");
  }

  /** Nobody else is asked: an editor waits for this before it shows anything. */
  initialize(params: InitializeRequest): InitializeResponse {
    this.#notices = params.clientCapabilities?.session?.notices != null;
    this.#files = new CursorFiles(
      homeOf(this.#options),
      params.clientInfo?.name ?? "",
    );
    return hello(this.#options, params);
  }

  async authenticate(methodId: string): Promise<void> {
    if (methodId !== LOGIN)
      throw unusable(
        `There is no login "${methodId.slice(0, 80)}". The only one is "${LOGIN}".`,
      );
    await checkLogin(this.#client, this.#options.agent);
  }

  async newSession(
    params: NewSessionRequest,
    context: AgentContext,
  ): Promise<NewSessionResponse> {
    onlyOneDirectory(params);
    const { id } = await this.#client.createSession(
      {
        agent: this.#options.agent,
        ...(this.#options.profile !== undefined && {
          agent_profile_id: this.#options.profile,
        }),
        ...this.#options.place,
        cwd: isOnHost(this.#options.place)
          ? params.cwd
          : await withoutLinks(params.cwd),
        mcp_servers: mcpServersOf(params.mcpServers),
        ...(await this.#caller()),
      },
      { key: crypto.randomUUID() },
    );
    const failure = await firstStart(this.#client, id);
    if (failure !== null) {
      // The client never hears of its id.
      await this.#client.deleteSession(id).catch(() => undefined);
      throw failure;
    }
    const { offered } = await this.#client.showSession(id);
    const choices = choicesOf(offered);
    const session = await this.#opened(id, context);
    session.begin(choices);
    const answer = { sessionId: id, ...choices };
    this.#wire.whenWritten(answer, () => session.attachment.follow());
    return answer;
  }

  /** Everything is told before the answer. */
  loadSession(
    given: ExistingSession,
    context: AgentContext,
  ): Promise<LoadSessionResponse> {
    return this.#openExisting(given, async (id, answer) => {
      const session = await this.#opened(id, context);
      await session.attachment.attach({ from: 0, isReplay: true });
      session.choices = answer;
      return () => session.attachment.follow();
    });
  }

  /** What this client missed is told after the answer. */
  resumeSession(
    given: ExistingSession,
    context: AgentContext,
  ): Promise<LoadSessionResponse> {
    return this.#openExisting(given, async (id, answer) => {
      const known = this.#open.get(id);
      if (known !== undefined) known.choices = answer;
      // What comes next waits until the client knows what it missed.
      return () =>
        void this.#lanes
          .run(id, () => this.#attached(id, context))
          .catch(() => undefined);
    });
  }

  list(params: ListSessionsRequest): Promise<ListSessionsResponse> {
    return this.#list.page(params);
  }

  async prompt(
    sessionId: string,
    prompt: readonly ContentBlock[],
    signal: AbortSignal,
    context: AgentContext,
  ): Promise<PromptResponse> {
    const id = idOf(sessionId);
    const content = contentOf(prompt);
    const { response } = await this.#lanes.run(id, async () => {
      const session = await this.#attached(id, context);
      return session.attachment.queue(content, await this.#caller());
    });
    const cancel = (): void =>
      void this.cancel(sessionId).catch(() => undefined);
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
    try {
      return await response;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  cancel(sessionId: string): Promise<void> {
    const id = idOf(sessionId);
    return this.#lanes.run(id, () => this.#cancel(id));
  }

  close(sessionId: string): Promise<void> {
    const id = idOf(sessionId);
    return this.#lanes.run(id, async () => {
      await this.#show(id);
      await this.#cancel(id);
      await this.#open.get(id)?.attachment.idle(CANCEL_MS);
      await this.#client
        .pauseSession(id, { key: crypto.randomUUID() })
        .catch(isAtRest);
      await this.#forget(id);
    });
  }

  delete(sessionId: string): Promise<void> {
    const id = idOf(sessionId);
    return this.#lanes.run(id, async () => {
      await this.#client.deleteSession(id);
      await this.#forget(id);
      this.#files.remove(id);
    });
  }

  async setMode(sessionId: string, mode: string): Promise<void> {
    const id = idOf(sessionId);
    const { offered } = await this.#client.changeSession(
      id,
      { mode },
      { key: crypto.randomUUID() },
    );
    this.#open.get(id)?.know(offered);
  }

  async setOption(
    given: SetSessionConfigOptionRequest,
  ): Promise<SetSessionConfigOptionResponse> {
    const id = idOf(given.sessionId);
    const before = await this.#show(id);
    const { offered } = await this.#client.changeSession(
      id,
      changeFor(before.offered, given.configId, given.value),
      { key: crypto.randomUUID() },
    );
    const known = this.#open.get(id)?.know(offered) ?? choicesOf(offered);
    return { configOptions: known.configOptions ?? [] };
  }

  /** Turns go on without us. */
  async leave(): Promise<void> {
    for (const id of this.#open.keys()) await this.#forget(id);
  }

  /** Answers with what there is to choose from; `attach` says what is done when that has been written. */
  #openExisting(
    given: ExistingSession,
    attach: (id: SessionId, answer: Choices) => Promise<() => void>,
  ): Promise<LoadSessionResponse> {
    onlyOneDirectory(given);
    const id = idOf(given.sessionId);
    return this.#lanes.run(id, async () => {
      const { offered } = await this.#show(id);
      const answer = choicesOf(offered);
      this.#wire.whenWritten(answer, await attach(id, answer));
      return answer;
    });
  }

  /** The session on this connection; one that the client prompts without having opened it is opened by that. */
  async #attached(id: SessionId, context: AgentContext): Promise<OpenSession> {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const { offered, last_seq } = await this.#show(id);
    const cursor = await this.#files.read(id);
    const session = await this.#opened(id, context);
    session.choices = choicesOf(offered);
    if (cursor?.prompt != null) session.attachment.own(cursor.prompt);
    await session.attachment.attach({
      from: Math.min(cursor?.seq ?? last_seq, last_seq),
      isReplay: false,
    });
    session.attachment.follow();
    return session;
  }

  async #opened(id: SessionId, context: AgentContext): Promise<OpenSession> {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const session = new OpenSession(id, {
      client: this.#client,
      wire: this.#wire,
      context,
      notices: this.#notices,
      file: await this.#files.open(id),
      lost: () => this.#open.delete(id),
    });
    this.#open.set(id, session);
    return session;
  }

  async #forget(id: SessionId): Promise<void> {
    const session = this.#open.get(id);
    this.#open.delete(id);
    await session?.attachment.close();
  }

  async #cancel(id: SessionId): Promise<void> {
    const session = this.#open.get(id);
    if (session !== undefined) return session.attachment.cancel();
    await cancelTurn(this.#client, id);
  }

  async #show(id: SessionId): Promise<Session> {
    const session = await this.#client.showSession(id);
    if (session.deleted_at !== null) throw noSuchSession(id);
    return session;
  }

  /** The person's environment, for the server of this home, which may have to be started first. */
  async #caller(): Promise<{ caller_env?: Record<string, string> }> {
    const known = await callerEnv(this.#options);
    if (known.caller_env !== undefined) return known;
    await this.#client.health();
    return callerEnv(this.#options);
  }
}

const idOf = (text: string): SessionId => {
  const id = SessionId.safeParse(text);
  if (!id.success) throw noSuchSession(text);
  return id.data;
};

interface OneDirectory {
  additionalDirectories?: string[];
}

interface ExistingSession extends OneDirectory {
  sessionId: string;
}

const onlyOneDirectory = ({
  additionalDirectories = [],
}: OneDirectory): void => {
  if (additionalDirectories.length > 0)
    throw unusable("A session works in one directory. Leave out the others.");
};
