import type { LinkRefusal } from "../../contract/link.ts";

/** An order that is not carried out. */
export class Refused extends Error {
  readonly code: LinkRefusal;
  constructor(code: LinkRefusal, message: string) {
    super(message);
    this.code = code;
  }
}
