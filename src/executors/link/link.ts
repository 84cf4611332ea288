/**
 * The server's end of the link: one WebSocket over any stream that reaches an agentctl.
 *
 *   stream ──upgrade──► hello ──► open: calls ⇄ answers, reports ► listener ──► closed (all pending calls rejected)
 */
import type { Duplex } from "node:stream";
import { LinkError } from "../../contract/link-error.ts";
import {
  LINK_PROTOCOL,
  type LinkMethod,
  type LinkParams,
  type LinkResult,
} from "../../contract/link.ts";
import { RepriseError } from "../../contract/problem.ts";
import { within } from "../../kit/deadline.ts";
import type { Log } from "../../runtime/ports.ts";
import { Connection, type Report } from "./connection.ts";
import { upgraded } from "./web-socket.ts";

export interface Introduction {
  token: string;
  term: number;
  build: string;
  log: Log;
  /** How long the upgrade and `hello` may take. */
  deadlineMs: number;
}

export interface Link {
  readonly hello: LinkResult<"hello">;
  call<M extends LinkMethod>(
    method: M,
    params: LinkParams<M>,
  ): Promise<LinkResult<M>>;
  /** Reports that came earlier are kept and handed over at once. */
  onReport(listen: (report: Report) => void): void;
  isOpen(): boolean;
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export const openLink = async (
  stream: Duplex,
  introduction: Introduction,
): Promise<Link> => {
  const { token, term, build, log, deadlineMs } = introduction;
  const opening = async (): Promise<Link> => {
    const connection = new Connection(await upgraded(stream, token), log);
    const hello = await connection.call("hello", {
      protocol: LINK_PROTOCOL,
      build,
      term,
    });
    return {
      hello,
      call: (method, params) => connection.call(method, params),
      onReport: (listen) => connection.onReport(listen),
      isOpen: () => connection.isOpen(),
      closed: connection.closed,
      close: () => connection.close(),
    };
  };
  try {
    return await within("agentctl's hello", deadlineMs, opening());
  } catch (error) {
    stream.destroy();
    if (error instanceof LinkError || error instanceof RepriseError)
      throw error;
    throw new RepriseError(
      "agentctl_unavailable",
      `agentctl accepts connections but does not answer: ${String(error)}`,
      { cause: error },
    );
  }
};
