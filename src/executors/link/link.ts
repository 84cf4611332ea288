/**
 * The server's end of the link: one WebSocket over any stream that reaches an agentctl.
 *
 *   stream ──upgrade──► hello ──► open: calls ⇄ answers, reports ► listener ──► closed (all pending calls rejected)
 *              └── no sign of life: silent · the stream ends: lost
 */
import type { Duplex } from "node:stream";
import type { OwnerId } from "../../contract/base/id.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import {
  LINK_PROTOCOL,
  type LinkMethod,
  type LinkParams,
  type LinkResult,
} from "../../contract/link/link.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { DeadlineExceeded, within } from "../../kit/time/deadline.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { Connection } from "./connection.ts";
import { type Report, warmUp } from "./report.ts";
import { unlessSilent } from "./silence.ts";
import { unavailable } from "./unavailable.ts";
import { type Explain, LINK, upgraded } from "./web-socket.ts";

export interface Introduction {
  token: string;
  /** The home that the server serves; agentctl takes it for its own where it is not said. */
  owner?: OwnerId | undefined;
  term: number;
  build: string;
  log: Log;
  /** How long `hello` may take: a big adoption comes before it. */
  deadlineMs: number;
  /** How long the peer may give no sign of life, then and later. */
  silenceMs: number;
  /** How long orders may go unanswered, where that is not as usual. */
  orderDeadlines?: Readonly<Partial<Record<LinkMethod, number>>>;
  /** What it means that no link is opened; as on this machine where it is not said. */
  explain?: Explain;
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

/** A refusal is a `LinkError`, or a `RepriseError` when it is not even let in. */
export const openLink = async (
  stream: Duplex,
  introduction: Introduction,
): Promise<Link | "silent" | "lost"> => {
  const { token, owner, term, build, log, deadlineMs, silenceMs } =
    introduction;
  let connection: Connection | null = null;
  try {
    const socket = await unlessSilent(
      upgraded(stream, token, LINK, introduction.explain),
      silenceMs,
    );
    if (socket === null) return abandoned(stream);
    connection = new Connection(
      socket,
      log,
      silenceMs,
      introduction.orderDeadlines,
    );
    const asked = connection.call("hello", {
      protocol: LINK_PROTOCOL,
      build,
      term,
      ...(owner !== undefined && { owner }),
    });
    // The answer is on its way.
    warmUp();
    return linkOver(connection, await within("hello", deadlineMs, asked));
  } catch (error) {
    const stands = connection === null || connection.isOpen();
    stream.destroy();
    if (connection?.wasSilent()) return "silent";
    if (error instanceof DeadlineExceeded) throw busy(error);
    if (error instanceof LinkError) throw error;
    if (error instanceof RepriseError && stands) throw error;
    return "lost";
  }
};

const linkOver = (
  connection: Connection,
  hello: LinkResult<"hello">,
): Link => ({
  hello,
  call: (method, params) => connection.call(method, params),
  onReport: (listen) => connection.onReport(listen),
  isOpen: () => connection.isOpen(),
  closed: connection.closed,
  close: () => connection.close(),
});

const abandoned = (stream: Duplex): "silent" => {
  stream.destroy();
  return "silent";
};

const busy = (cause: DeadlineExceeded): RepriseError =>
  unavailable(
    `agentctl is there and busy: ${cause.message}. Try again later; agentctl.log in the home says what it does`,
    cause,
  );
