import * as z from "zod";
import { Budget } from "../base/budget.ts";
import { AgentOptions, CreateSessionFields, line } from "./request.ts";

/** What can be changed about a session at any time. An agent that runs takes it at once. */
export const ChangeSessionRequest = z
  .strictObject({
    name: line(200).optional(),
    model: CreateSessionFields.shape.model,
    mode: CreateSessionFields.shape.mode,
    on_interrupt: z.enum(["wait", "continue"]).optional(),
    on_quota: CreateSessionFields.shape.on_quota,
    /** What it may spend from now on, with what it has spent so far; null: whatever it takes. */
    budget: Budget.nullable().optional(),
    options: AgentOptions.optional(),
  })
  .refine(
    (changes) => Object.values(changes).some((value) => value !== undefined),
    "give at least one thing to change",
  );
export type ChangeSessionRequest = z.infer<typeof ChangeSessionRequest>;
