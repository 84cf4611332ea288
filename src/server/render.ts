import type { z } from "zod";

/** Answers as the contract says: its status, and a value of its type. */
export const render = <R extends { status: number; answer: z.ZodType }>(
  route: R,
  answer: z.input<R["answer"]>,
): Response => Response.json(answer, { status: route.status });
