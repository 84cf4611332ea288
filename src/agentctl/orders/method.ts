import type { z } from "zod";
import type { ExecutionId } from "../../contract/base/id.ts";
import type { LinkReport } from "../../contract/link/link.ts";
import type { Orderer } from "../execution/executions.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { Transfers } from "../storage/transfers.ts";

/** Who orders, and where reports about what was ordered go. */
export interface Caller extends Orderer {
  /** Whether the home that agentctl lives in is its owner's. */
  isHomes: boolean;
  report(report: LinkReport["report"]): void;
  /** What is reported over the caller's link, and how to end that: done when the link is gone. */
  attachments: Map<ExecutionId, () => void>;
  /** Aborted when the caller's link is gone. */
  gone: AbortSignal;
  /** Files that went over this link, or will. */
  transfers: Transfers;
}

/** Carries out one method: parses what came and does it. */
export type Order = (params: unknown, caller: Caller) => Promise<unknown>;

export const method =
  <P, R>(
    { params: schema }: { params: z.ZodType<P>; result: z.ZodType<R> },
    carryOut: (params: P, caller: Caller) => Promise<R>,
  ): Order =>
  (params, caller) =>
    carryOut(parseParams(schema, params), caller);

export const parseParams = <P>(schema: z.ZodType<P>, params: unknown): P => {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new LinkError("invalid_params", parsed.error.message);
};
