import type { LinkRefusal } from "./link.ts";

/** agentctl refused an order, and says why with a closed code. */
export class LinkError extends Error {
  readonly code: LinkRefusal;
  constructor(code: LinkRefusal, message: string) {
    super(message);
    this.name = "LinkError";
    this.code = code;
  }
}
