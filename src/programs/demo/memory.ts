import { commandsOf } from "./command.ts";

/**
 * What the agent has in mind: like a model's context it holds every prompt that was taken, also one that was cut short,
 * so a session read back from its file knows what the running one knew.
 */
export class Memory {
  #facts = new Map<string, string>();
  #prompts = 0;

  get prompts(): number {
    return this.#prompts;
  }

  /** A prompt has begun. */
  begin(): void {
    this.#prompts += 1;
  }

  remember(key: string, value: string): void {
    this.#facts.set(key, value);
  }

  recall(key: string): string | undefined {
    return this.#facts.get(key);
  }

  /** All that a prompt asks to remember, whether or not it was carried out to its end. */
  learn(prompt: string): void {
    for (const command of commandsOf(prompt))
      if (command.kind === "remember")
        this.remember(command.key, command.value);
  }
}
