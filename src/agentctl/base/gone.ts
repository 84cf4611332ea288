import type { ExecutionId } from "../../contract/base/id.ts";

/** Enough for whoever comes back soon; of an older one it is found out again by looking. */
const MAX_REMEMBERED = 4096;

/** The executions that ended here and are forgotten: all their processes were seen gone. */
export class Gone {
  readonly #ids = new Set<ExecutionId>();

  has(id: ExecutionId): boolean {
    return this.#ids.has(id);
  }

  add(id: ExecutionId): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_REMEMBERED && oldest !== undefined)
      this.#ids.delete(oldest);
  }
}
