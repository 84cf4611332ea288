import assert from "node:assert/strict";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { endMarked } from "../../src/kit/processes/marked-processes.ts";
import { Running, runToEnd, type Surroundings } from "./terminal.ts";
import { elide, Side, type Entry } from "./transcript.ts";

const isServer = (command: string): boolean => /\bnpm start$/.test(command);

/** A reader with two terminals: one for the server, one for everything else. */
export class Tour {
  readonly #readme = new Side("/home/you");
  readonly #surroundings: Surroundings;
  #actual: Side;
  #server: Running | null = null;
  #isOver = false;

  /** @param place the directory that is the reader's own. */
  constructor(place: string, surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#actual = new Side(place);
  }

  async follow({ command, output }: Entry): Promise<void> {
    const expected = this.#readme.reduce(output.join("\n"));
    if (command === null) await this.#interrupt(expected);
    else if (isServer(command)) await this.#serve(command, expected);
    else await this.#type(command, expected);
  }

  /** Ends the server, the command at hand, agentctl and its agents, wherever the tour stopped: all have the reader's home. */
  async close(): Promise<void> {
    this.#isOver = true;
    const home = `HOME=${this.#surroundings.env["HOME"] ?? ""}`;
    assert.ok(await endMarked(home, patience(10_000)), "processes are left");
  }

  async #interrupt(expected: string): Promise<void> {
    const server = this.#server;
    assert.ok(server, "Ctrl-C, but no server runs");
    const said = server.printed.length;
    server.signal("SIGINT");
    await server.ended;
    this.#server = null;
    const words = this.#actual.reduce(server.printed.slice(said));
    assert.equal(elide(expected, words), expected, "^C");
  }

  async #serve(command: string, expected: string): Promise<void> {
    // The usual address may be taken on this machine.
    const server = new Running(`${command} -- --port 0`, this.#surroundings);
    this.#server = server;
    await server.until(
      (printed) =>
        elide(expected, this.#actual.copy().reduce(printed)) === expected,
    );
  }

  async #type(command: string, expected: string): Promise<void> {
    const typed = this.#readme.translate(command, this.#actual);
    // A reader takes a moment between two commands. Where one only looks, we look again until there is what README shows.
    const isLook = /session (show|status|messages|list)\b/.test(command);
    const deadline = performance.now() + patience(20_000);
    while (!this.#isOver) {
      const side = this.#actual.copy();
      const { printed } = await runToEnd(typed, this.#surroundings);
      const shown = elide(expected, side.reduce(printed));
      if (isLook && shown !== expected && performance.now() < deadline)
        continue;
      assert.equal(shown, expected, `$ ${command}`);
      this.#actual = side;
      return;
    }
  }
}
