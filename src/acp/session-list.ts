/** The sessions of this agent, as an editor lists them. */
import type {
  ListSessionsRequest,
  ListSessionsResponse,
  SessionInfo,
} from "@agentclientprotocol/sdk";
import { realpath } from "node:fs/promises";
import type { Client } from "../client/client.ts";
import { isOnHost } from "../contract/base/executor-name.ts";
import { messageId } from "../contract/base/id.ts";
import { fitting } from "../contract/base/text-limit.ts";
import type { Session } from "../contract/session/session.ts";
import type { Self } from "./hello.ts";

const PAGE = 50;
const MAX_TITLE = 100;

export class SessionList {
  readonly #client: Client;
  readonly #self: Pick<Self, "agent" | "place">;
  /** Titles of sessions without a name: a first prompt stays the first. */
  readonly #titles = new Map<string, string>();

  constructor(client: Client, self: Pick<Self, "agent" | "place">) {
    this.#client = client;
    this.#self = self;
  }

  async page({
    cwd,
    cursor,
  }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { agent, place } = this.#self;
    const path = cwd == null || isOnHost(place) ? cwd : await withoutLinks(cwd);
    // By a directory the server finds those that run on its own machine.
    const isHere = Object.keys(place).length === 0;
    const { sessions, next } = await this.#client.listSessions({
      limit: PAGE,
      ...(isHere && path != null && { cwd: path }),
      ...(cursor != null && { after: cursor }),
    });
    const own = sessions.filter(
      (each) => each.agent === agent && (path == null || each.cwd === path),
    );
    return {
      sessions: await Promise.all(own.map((session) => this.#info(session))),
      ...(next !== null && { nextCursor: next }),
    };
  }

  async #info(session: Session): Promise<SessionInfo> {
    const title = session.name ?? (await this.#firstPrompt(session));
    return {
      sessionId: session.id,
      cwd: session.cwd,
      updatedAt: session.last_active_at,
      ...(title !== null && { title }),
    };
  }

  async #firstPrompt({ id }: Session): Promise<string | null> {
    const known = this.#titles.get(id);
    if (known !== undefined) return known;
    const { messages } = await this.#client
      .listMessages(id, { after: messageId(0), limit: 5 })
      // A damaged session is listed too.
      .catch(() => ({ messages: [] }));
    const first = messages.find(({ role }) => role === "user");
    if (first === undefined) return null;
    const title = titleOf(first.text);
    this.#titles.set(id, title);
    return title;
  }
}

/** One line, of which no character is cut in two. */
export const titleOf = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= MAX_TITLE) return line;
  return `${line.slice(0, fitting(line, MAX_TITLE - 1))}…`;
};

/** Sessions know their directory without links. */
export const withoutLinks = (path: string): Promise<string> =>
  realpath(path).catch(() => path);
