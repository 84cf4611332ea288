import { randomBytes } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import {
  LINK_PROTOCOL,
  LinkRequest,
  linkMethods,
  type LinkAnswer,
  type LinkMethod,
  type LinkReport,
  type LinkResult,
} from "../../contract/link/link.ts";
import type { LinkRefusal } from "../../contract/link/link-refusal.ts";
import type { PlaceId, SessionId, ShellId } from "../../contract/base/id.ts";
import { crashPoint } from "../../kit/crash-point.ts";
import { hasErrno } from "../../kit/errno.ts";

import { type Log, reasonOf } from "../base/log.ts";
import type { StreamConnection } from "../../streams/stream-connection.ts";
import type { Owner, Owners } from "../base/owners.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { sentItem } from "../../contract/link/report.ts";
import type { Term } from "../base/term.ts";
import type { Transfers } from "../storage/transfers.ts";
import type { SearchPlace } from "../workspace/search/search.ts";
import { openData } from "./data.ts";
import type { Shells } from "../shells/shells.ts";
import { type Caller, parseParams } from "../orders/method.ts";
import type { Orders } from "../orders/orders.ts";

/** One server's connection: `hello` first, then orders. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #context: LinkContext;
  readonly #transfers: Transfers;
  /** Whoever has it may open streams beside this link. */
  readonly dataKey = randomBytes(32).toString("base64url");
  #data: StreamConnection | null = null;
  #server: { owner: Owner; term: number; terms: Term } | null = null;
  readonly #attachments: Caller["attachments"] = new Map();
  readonly #gone = new AbortController();

  constructor(socket: WebSocket, context: LinkContext) {
    this.#socket = socket;
    this.#context = context;
    this.#transfers = context.openTransfers();
    socket.on("message", (data, isBinary) => {
      if (isBinary) return this.close("text frames only");
      void this.#take(textOfFrame(data));
    });
    socket.on("close", () => {
      this.#gone.abort();
      for (const detach of this.#attachments.values()) detach();
      this.#attachments.clear();
      this.#data?.close("the link is closed");
      this.#transfers
        .close()
        .catch((error: unknown) =>
          context.log("cannot remove transfers", { error: reasonOf(error) }),
        );
    });
    socket.on("error", (error) =>
      context.log("link broke", { error: error.message }),
    );
  }

  /** Null until it has said hello. */
  get term(): number | null {
    return this.#server?.term ?? null;
  }

  /** Whether this is a later server of the same owner. */
  supersedes({ term, owner }: Connection): boolean {
    return term !== null && owner === this.owner && term < (this.term ?? 0);
  }

  get owner(): Owner {
    return this.#server?.owner ?? null;
  }

  close(reason: string): void {
    this.#socket.close(1008, reason);
  }

  /** Takes the place of the one before, which may be lost without a sign. */
  openData(socket: WebSocket): void {
    this.#data?.close("another took its place");
    const { place, shells } = this.#context;
    const subjects = {
      ...place,
      transfers: this.#transfers,
      findShell: (session: SessionId, shell: ShellId) =>
        shells.find(this.owner, session, shell),
    };
    this.#data = openData(socket, subjects, () => this.#check());
  }

  async #take(text: string): Promise<void> {
    const request = parse(text);
    if (request === null)
      return this.#refuse(null, new LinkError("invalid_params", "no request"));
    try {
      const result = await this.#answer(request);
      this.#send({ id: request.id, result });
    } catch (error) {
      this.#refuse(request.id, error);
    }
  }

  async #answer({ method, params }: LinkRequest): Promise<unknown> {
    if (!isMethod(method))
      throw new LinkError("unknown_method", `no method ${method}`);
    if (method === "hello") return this.#hello(params);
    return this.#context.orders[method](params, this.#caller());
  }

  async #hello(params: unknown): Promise<unknown> {
    const asked = parseParams(linkMethods.hello.params, params);
    const { protocol, term } = asked;
    const { owners, build, placeId, adopted, isRemote } = this.#context;
    await adopted;
    const version = Math.min(protocol.max, LINK_PROTOCOL.max);
    const isSpoken = version >= Math.max(protocol.min, LINK_PROTOCOL.min);
    // Whoever cannot use the home does not claim it.
    const owner = await (isRemote && isSpoken
      ? owners.claimFor(asked.owner)
      : owners.ownerOf(asked.owner));
    const terms = await owners.termOf(owner);
    if (!isSpoken) {
      if (term >= terms.highest) await this.#context.giveWay();
      throw new LinkError(
        "incompatible_protocol",
        `agentctl ${build} speaks version ${rangeOf(LINK_PROTOCOL)} of the link, the server ${rangeOf(protocol)}`,
      );
    }
    if (!(await terms.claim(term)))
      throw new LinkError("term_superseded", superseded(term, terms));
    this.#server = { owner, term, terms };
    this.#context.onHello(this);
    const { environment, workspaces } = this.#context;
    return {
      protocol: version,
      build,
      pid: process.pid,
      place_id: placeId,
      data: this.dataKey,
      ...(environment !== undefined && { environment }),
      workspaces,
      arch: process.arch,
      clock: new Date().toISOString(),
    } satisfies LinkResult<"hello">;
  }

  #caller(): Caller {
    const { owner, term } = this.#check();
    return {
      owner,
      isHomes: this.#context.owners.isHomes(owner),
      term,
      check: () => void this.#check(),
      report: (report) => this.#report(report),
      attachments: this.#attachments,
      gone: this.#gone.signal,
      transfers: this.#transfers,
    };
  }

  /** With every order: a frozen server may wake with requests from another time. */
  #check(): { owner: Owner; term: number } {
    if (this.#server === null)
      throw new LinkError("term_superseded", "hello comes first");
    const { term, terms } = this.#server;
    if (term < terms.highest)
      throw new LinkError("term_superseded", superseded(term, terms));
    return this.#server;
  }

  #report(report: LinkReport["report"]): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const items = report.items.map(sentItem);
    this.#socket.send(JSON.stringify({ report: { ...report, items } }));
    crashPoint("agentctl.report");
  }

  #refuse(id: number | null, error: unknown): void {
    if (!(error instanceof LinkError))
      this.#context.log("an order failed", { error: reasonOf(error) });
    const message = error instanceof Error ? error.message : String(error);
    this.#send({ id, error: { code: codeOf(error), message } });
  }

  #send(answer: LinkAnswer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(JSON.stringify(answer));
    crashPoint("agentctl.answer");
  }
}

export interface LinkContext {
  build: string;
  placeId: PlaceId;
  /** Whether the server is on the network, where others are than in front of the socket. */
  isRemote: boolean;
  /** Agents get ours below what orders say. */
  environment?: "own";
  /** Where directories of sessions are made. */
  workspaces: string;
  owners: Owners;
  orders: Orders;
  shells: Shells;
  /** Resolves when everything that an agentctl before us knew is known again. */
  adopted: Promise<void>;
  /** A server that we cannot serve is there: goes when there is nobody to look after. */
  giveWay(): Promise<void>;
  onHello(connection: Connection): void;
  /** For the files of one link. */
  openTransfers(): Transfers;
  /** Where files of workspaces are read, written and searched. */
  place: SearchPlace;
  log: Log;
}

const codeOf = (error: unknown): LinkRefusal => {
  if (error instanceof LinkError) return error.code;
  return hasErrno(error, "ENOSPC", "EDQUOT") ? "storage_full" : "internal";
};

const superseded = (term: number, terms: Term): string =>
  `term ${term} was superseded by ${terms.highest}`;

const rangeOf = ({ min, max }: { min: number; max: number }): string =>
  min === max ? `${min}` : `${min} to ${max}`;

const parse = (text: string): LinkRequest | null => {
  try {
    return LinkRequest.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

const isMethod = (method: string): method is LinkMethod =>
  Object.hasOwn(linkMethods, method);

/** The text of a frame. */
export const textOfFrame = (data: RawData): string => {
  if (Buffer.isBuffer(data)) return data.toString("utf8");
  return Array.isArray(data)
    ? Buffer.concat(data).toString("utf8")
    : Buffer.from(data).toString("utf8");
};
