import type { LinkRefusal } from "./link-refusal.ts";

/** agentctl refuses an order, and says why with a closed code: thrown there, and again at the other end of the link. */
export class LinkError extends Error {
  readonly code: LinkRefusal;
  constructor(code: LinkRefusal, message: string) {
    super(message);
    this.name = "LinkError";
    this.code = code;
  }
}
