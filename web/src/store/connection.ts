/** How the page stands with its server. */
export type Connection =
  /** Nothing was answered yet: nothing is said. */
  | { kind: "opening" }
  | { kind: "connected" }
  | {
      kind: "away";
      /** When something was heard last. */
      since: number;
      /** When it is tried again. */
      nextTryAt: number | null;
    }
  /** For a few seconds behind `away`. */
  | { kind: "back"; caughtUp: number };
