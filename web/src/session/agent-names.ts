/** What agents are called. Until the server has told, an agent is called by its id. */
import type { Client } from "../../../src/client/client.ts";
import type { Readable } from "../store/readable.ts";
import { Value } from "../store/value.ts";

export class AgentNames implements Readable<ReadonlyMap<string, string>> {
  readonly #names = new Value<ReadonlyMap<string, string>>(new Map());

  get(): ReadonlyMap<string, string> {
    return this.#names.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#names.subscribe(changed);
  }

  nameOf(agent: string): string {
    return this.get().get(agent) ?? agent;
  }

  /** A failure changes nothing: names are asked for again with the next page. */
  async load(client: Pick<Client, "listAgents">): Promise<void> {
    const { agents } = await client.listAgents();
    this.#names.set(new Map(agents.map(({ id, name }) => [id, name])));
  }
}
