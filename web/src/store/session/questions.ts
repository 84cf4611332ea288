/**
 * Questions that were shown here and are over. One that somebody else answered, or that was closed, is told with its reason: a card
 * that only vanishes leaves people wondering whether they pressed something.
 */
import type {
  Permission,
  PermissionCloseReason,
} from "../../../../src/contract/agent/permission.ts";
import type { Event } from "../../../../src/contract/event/event.ts";

export interface ClosedQuestion {
  permission: Permission;
  how:
    | { kind: "answered"; optionId: string; by: "somebody" | "policy" }
    | { kind: "closed"; reason: PermissionCloseReason };
}

export class Questions {
  readonly #shown = new Map<string, Permission>();
  readonly #answeredHere = new Set<string>();
  #closed: ClosedQuestion | null = null;

  /** The last that was closed; null when something newer takes its place. */
  get closed(): ClosedQuestion | null {
    return this.#closed;
  }

  /** What is pending now. */
  show(pending: readonly Permission[]): void {
    for (const permission of pending) {
      if (!this.#shown.has(permission.id)) this.#closed = null;
      this.#shown.set(permission.id, permission);
    }
  }

  /** Whoever answers here knows what they answered. */
  async answer(id: string, work: () => Promise<void>): Promise<void> {
    this.#answeredHere.add(id);
    try {
      await work();
    } catch (error) {
      this.#answeredHere.delete(id);
      throw error;
    }
  }

  take(event: Event): void {
    if (event.type === "session.permission.answered") {
      const { id, option_id: optionId, by = "somebody" } = event.data;
      if (!this.#answeredHere.has(id))
        this.#close(id, { kind: "answered", optionId, by });
    }
    if (event.type === "session.permission.closed")
      this.#close(event.data.id, {
        kind: "closed",
        reason: event.data.reason,
      });
  }

  forget(): void {
    this.#closed = null;
  }

  #close(id: string, how: ClosedQuestion["how"]): void {
    const permission = this.#shown.get(id);
    if (permission !== undefined) this.#closed = { permission, how };
  }
}
