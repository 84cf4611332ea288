/**
 * The streams beside a link: one connection for all of them, made when one is needed and anew after it was lost.
 * It is closed with its link.
 */
import type { Duplex } from "node:stream";
import { LinkError } from "../../contract/link/link-error.ts";
import {
  MAX_FRAME,
  MAX_STREAMS,
  type StreamKind,
} from "../../contract/link/stream.ts";
import type { ByteStream } from "../../streams/byte-stream.ts";
import { streamsOver } from "../../streams/socket.ts";
import type { StreamConnection } from "../../streams/stream-connection.ts";
import type { Link } from "./link.ts";
import { onSilence, unlessSilent } from "./silence.ts";
import { unavailable } from "./unavailable.ts";
import { upgraded } from "./web-socket.ts";

/** A connection to an agentctl, and what opens it. */
export interface Dialled {
  stream: Duplex;
  token: string;
}

export interface DataSettings {
  link: Pick<Link, "hello" | "isOpen" | "closed">;
  /** A further connection to the same agentctl; null when nobody is there. */
  dial: () => Promise<Dialled | null>;
  /** How long it may take to answer. */
  silenceMs: number;
}

export class DataLink {
  readonly #settings: DataSettings;
  #streams: Promise<StreamConnection> | null = null;

  constructor(settings: DataSettings) {
    this.#settings = settings;
    void settings.link.closed.then(() => this.#close());
  }

  isLinkOpen(): boolean {
    return this.#settings.link.isOpen();
  }

  /** `from` is where the other side is to begin. */
  async open(kind: StreamKind, params: object, from = 0): Promise<ByteStream> {
    return (await this.#connected()).open(kind, params, from);
  }

  async #connected(): Promise<StreamConnection> {
    for (;;) {
      const streams = (this.#streams ??= this.#connect());
      const connected = await streams.catch((error: unknown) => {
        if (this.#streams === streams) this.#streams = null;
        throw error;
      });
      if (connected.isOpen()) return connected;
      if (this.#streams === streams) this.#streams = null;
    }
  }

  async #connect(): Promise<StreamConnection> {
    const { link, dial, silenceMs } = this.#settings;
    const key = link.hello.data;
    if (key === undefined)
      throw new LinkError("unknown_method", "this agentctl has no streams");
    const dialled = link.isOpen() ? await dial() : null;
    if (dialled === null) throw unavailable(DATA_LOST);
    const { stream, token } = dialled;
    const request = { path: "/data", key, maxPayload: MAX_FRAME };
    const socket = await unlessSilent(
      upgraded(stream, token, request),
      silenceMs,
    );
    if (socket === null || !link.isOpen()) {
      stream.destroy();
      throw unavailable(DATA_LOST);
    }
    // Its way may be another one than that of its link, and be cut alone.
    onSilence(socket, silenceMs, () => socket.terminate());
    return streamsOver(socket, { handlers: null, maxStreams: MAX_STREAMS });
  }

  async #close(): Promise<void> {
    const open = await this.#streams?.catch(() => null);
    open?.close("the link is closed");
  }
}

export const DATA_LOST =
  "The connection to agentctl was lost while bytes went over it. Try again";
