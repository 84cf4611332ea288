import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { crashPoint } from "../../../kit/crash-point.ts";

const AT_ONCE = 64 * 1024;

/**
 * Our end of the agent's stdin. Written through a socket, because a plain write to a full FIFO fails and a blocking one
 * would hold a thread for as long as the agent does not read. Open for reading too, so that writing to a dead agent is
 * no error: that it is dead is noticed elsewhere.
 */
export class AgentStdin {
  readonly #socket: Socket;

  constructor(fifo: string) {
    const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    this.#socket = new Socket({ fd, readable: false, writable: true });
    this.#socket.on("error", () => this.#socket.destroy());
    this.#socket.unref();
  }

  /** Resolves when the FIFO has taken all of it. `onStall` is called once when the agent reads nothing for `ms`. */
  async body(body: Buffer, ms: number, onStall: () => void): Promise<void> {
    let stall: NodeJS.Timeout | undefined;
    let onlyOnce = onStall;
    try {
      for (let at = 0; at < body.length; at += AT_ONCE) {
        clearTimeout(stall);
        stall = setTimeout(() => {
          onlyOnce();
          onlyOnce = () => undefined;
        }, ms);
        await this.#write(body.subarray(at, at + AT_ONCE));
        crashPoint("agentctl.stdin.body");
      }
    } finally {
      clearTimeout(stall);
    }
  }

  async newline(): Promise<void> {
    await this.#write(NEWLINE);
    crashPoint("agentctl.stdin.newline");
  }

  /** Ends a line that was cut off, so that the agent refuses it and takes the next one. */
  async spoil(): Promise<void> {
    await this.#write(SPOILT);
    crashPoint("agentctl.stdin.spoilt");
  }

  close(): void {
    this.#socket.destroy();
  }

  #write(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }
}

const NEWLINE = Buffer.from("\n");
const SPOILT = Buffer.from("\x18\n");
