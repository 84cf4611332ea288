import {
  type McpServer,
  RequestError,
} from "@agentclientprotocol/sdk/unstable";
import type { CliDefinition } from "../../agents/launch/stream-json-definition.ts";
import type { Dialect, Thread } from "./dialect/dialect.ts";
import { lookUp } from "./look-up.ts";
import { Session } from "./session.ts";

export interface Wanted {
  cwd: string;
  mcpServers: readonly McpServer[];
  definition: CliDefinition;
  /** The message after which a session that exists is taken up. */
  at: string | null;
}

/** The sessions that are open here. What they remember is the CLI's. */
export class Sessions {
  readonly dialect: Dialect;
  #argv: readonly string[];
  #open = new Map<string, Session>();

  constructor(dialect: Dialect, argv: readonly string[]) {
    this.dialect = dialect;
    this.#argv = argv;
  }

  create(wanted: Wanted): Session {
    return this.#add({ kind: "new", id: this.dialect.newId() }, wanted);
  }

  async resume(id: string, wanted: Wanted): Promise<Session> {
    await this.#find(id, wanted.cwd);
    await this.#open.get(id)?.close();
    return this.#add({ kind: "known", id, at: wanted.at }, wanted);
  }

  async fork(of: string, wanted: Wanted): Promise<Session> {
    const id = this.dialect.newId();
    const original = this.#open.get(of)?.token ?? of;
    await this.#find(original, wanted.cwd);
    return this.#add({ kind: "fork", of: original, id, at: wanted.at }, wanted);
  }

  get(id: string): Session {
    const session = this.#open.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  }

  async close(id: string): Promise<void> {
    const session = this.get(id);
    this.#open.delete(id);
    await session.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }

  #add(thread: Thread, { cwd, mcpServers, definition }: Wanted): Session {
    const { dialect } = this;
    if (mcpServers.length > 0 && !dialect.mcp)
      throw RequestError.invalidParams(
        {},
        `${dialect.name} is given no MCP servers on its command line`,
      );
    const command = { argv: this.#argv, cwd };
    const session = new Session({
      dialect,
      command,
      thread,
      mcpServers,
      definition,
    });
    this.#open.set(session.id, session);
    return session;
  }

  #find(id: string, cwd: string): Promise<void> {
    return lookUp(this.dialect, { argv: this.#argv, cwd }, id);
  }
}
