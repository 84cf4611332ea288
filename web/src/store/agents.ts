/** The agents that the server knows. Looking for them takes the server a moment, so they are asked for when a screen shows them. */
import type { Client } from "../../../src/client/client.ts";
import type { AgentView } from "../../../src/contract/agent/agent.ts";
import { agentName } from "../words/agent-name.ts";
import type { Readable } from "./readable.ts";
import { Value } from "./value.ts";
import { legibleName } from "../words/legible.ts";

export type AgentsView =
  | { kind: "unknown" }
  | { kind: "known"; agents: readonly AgentView[] }
  | { kind: "failed"; text: string };

export class Agents implements Readable<AgentsView> {
  readonly #client: Pick<Client, "listAgents">;
  readonly #view = new Value<AgentsView>({ kind: "unknown" });
  #asked: Promise<void> | null = null;

  constructor(client: Pick<Client, "listAgents">) {
    this.#client = client;
  }

  get(): AgentsView {
    return this.#view.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#view.subscribe(changed);
  }

  name(id: string): string {
    const view = this.get();
    return agentName(id, view.kind === "known" ? view.agents : []);
  }

  /** Asks once; again with `again`. */
  load({ again = false } = {}): Promise<void> {
    if (again) this.#asked = null;
    this.#asked ??= this.#ask();
    return this.#asked;
  }

  async #ask(): Promise<void> {
    try {
      const { agents } = await this.#client.listAgents();
      this.#view.set({ kind: "known", agents: agents.map(legibleAgent) });
    } catch (error) {
      this.#asked = null;
      // What is known stays.
      if (this.get().kind !== "known")
        this.#view.set({
          kind: "failed",
          text: error instanceof Error ? error.message : String(error),
        });
    }
  }
}

const legibleAgent = (agent: AgentView): AgentView => ({
  ...agent,
  name: legibleName(agent.name),
  version: agent.version === null ? null : legibleName(agent.version),
});
