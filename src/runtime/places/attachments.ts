import type { ExecutionId } from "../../contract/base/id.ts";
import type { Place } from "../ports/executors.ts";

/**
 * Which executions report over which connection. Start-up and whoever wants something of a session come for it at
 * the same time: attaching twice would tell everything that has no bytes twice.
 */
export class Attachments {
  readonly #made = new WeakMap<Place, Map<ExecutionId, Promise<void>>>();

  /** Attaches once per connection; later callers wait for the first. Resolves with whether this call did it. */
  async once(
    place: Place,
    execution: ExecutionId,
    attach: () => Promise<void>,
  ): Promise<boolean> {
    const over = this.#over(place);
    const before = over.get(execution);
    if (before !== undefined) {
      await before;
      return false;
    }
    const attaching = attach();
    over.set(execution, attaching);
    try {
      await attaching;
    } catch (error) {
      over.delete(execution);
      throw error;
    }
    return true;
  }

  /** The next one attaches again. */
  forget(place: Place, execution: ExecutionId): void {
    this.#made.get(place)?.delete(execution);
  }

  #over(place: Place): Map<ExecutionId, Promise<void>> {
    const known = this.#made.get(place);
    if (known !== undefined) return known;
    const made = new Map<ExecutionId, Promise<void>>();
    this.#made.set(place, made);
    return made;
  }
}
