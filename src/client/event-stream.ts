/** One message of a stream of server-sent events. */
export interface StreamMessage {
  id: string | null;
  data: string;
}

/**
 * Reads `text/event-stream` piece by piece. Pieces may end anywhere, also inside a character or between CR and LF.
 * Messages without data (comments, heartbeats, `retry`) give nothing.
 */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #endedInCarriageReturn = false;
  #id: string | null = null;
  #data: string[] = [];

  push(bytes: Uint8Array): StreamMessage[] {
    const messages: StreamMessage[] = [];
    for (const line of this.#lines(
      this.#decoder.decode(bytes, { stream: true }),
    )) {
      const message = this.#take(line);
      if (message !== null) messages.push(message);
    }
    return messages;
  }

  /** Complete lines. Only the new text is searched, so a long line in many pieces costs its length once. */
  #lines(text: string): string[] {
    if (text === "") return [];
    const piece =
      this.#endedInCarriageReturn && text.startsWith("\n")
        ? text.slice(1)
        : text;
    this.#endedInCarriageReturn = text.endsWith("\r");
    const lines = piece.split(/\r\n|\r|\n/);
    lines[0] = this.#rest + (lines[0] ?? "");
    this.#rest = lines.pop() ?? "";
    return lines;
  }

  #take(line: string): StreamMessage | null {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const raw = colon === -1 ? "" : line.slice(colon + 1);
    const value = raw.startsWith(" ") ? raw.slice(1) : raw;
    if (field === "data") this.#data.push(value);
    else if (field === "id") this.#id = value;
    return null;
  }

  #dispatch(): StreamMessage | null {
    const message =
      this.#data.length === 0
        ? null
        : { id: this.#id, data: this.#data.join("\n") };
    this.#id = null;
    this.#data = [];
    return message;
  }
}
