import { LinkError } from "../../contract/link/link-error.ts";
import type { LinkRefusal } from "../../contract/link/link-refusal.ts";
import type { AbortCode } from "../../contract/link/stream.ts";
import { StreamAborted } from "../../streams/byte-stream.ts";
import { DATA_LOST } from "./data-link.ts";
import { unavailable } from "./unavailable.ts";

/** A stream that ended too early is refused as an order is. */
export const refused = (error: unknown): never => {
  if (!(error instanceof StreamAborted)) throw error;
  if (error.code === "connection_lost") throw unavailable(DATA_LOST, error);
  if (error.code === "too_many_streams") throw unavailable(TOO_MANY, error);
  throw new LinkError(refusals[error.code] ?? "internal", error.message);
};

const TOO_MANY =
  "No more files can go to or from agentctl at the same time. Try again when one of them is done";

const refusals: Partial<Record<AbortCode, LinkRefusal>> = {
  unknown_kind: "unknown_method",
  invalid_params: "invalid_params",
  superseded: "term_superseded",
  unknown_transfer: "unknown_transfer",
  storage_full: "storage_full",
};
