import type { z } from "zod";
import { crashPoint } from "../../kit/crash-point.ts";

/** Answers as the contract says: its status, and a value of its type. */
export const render = <
  R extends { method: string; status: number; answer: z.ZodType },
>(
  route: R,
  answer: z.input<R["answer"]>,
): Response => {
  if (route.method !== "GET") crashPoint("server.before-answer");
  return Response.json(answer, { status: route.status });
};
