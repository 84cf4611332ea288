import type { ExecutionId } from "../../contract/base/id.ts";

/** Of older executions the processes are looked for again. */
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
