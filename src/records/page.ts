import { plainJson, plainText } from "./plain-text.ts";

/** What an event adds to `session.log` and to `history.jsonl`. */
export class Page {
  readonly #at: string;
  log = "";
  history = "";

  constructor(at: string) {
    this.#at = at;
  }

  enter(heading: string, text: string): void {
    this.log += `[${this.#at}] ${heading}:\n${plainText(text)}\n\n`;
  }

  line(entry: object): void {
    this.history += `${plainJson(entry)}\n`;
  }
}
