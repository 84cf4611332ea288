/** A promise that was broken, with enough to find out how. */
export interface Violation {
  /** The id of the promise or rule. */
  rule: string;
  session: string | null;
  what: string;
}

export class Violations {
  readonly all: Violation[] = [];

  add(rule: string, session: string | null, what: string): void {
    this.all.push({ rule, session, what });
  }
}
