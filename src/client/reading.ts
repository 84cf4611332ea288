/**
 * How what a server says is taken. Programs hold it against the contract (`checking.ts`); the page of a server, which comes from
 * that server, takes its word (`trusting.ts`).
 */
import type { z } from "zod";
import type { RouteName, routes } from "../contract/api/route.ts";
import type { HomeChange } from "../contract/api/stream-route.ts";
import type { Event } from "../contract/event/event.ts";
import type { Problem } from "../contract/problem/problem.ts";
import type { TaskEvent } from "../contract/task/task-event.ts";

export type AnswerOf<N extends RouteName> = z.output<
  (typeof routes)[N]["answer"]
>;

/** A problem as any release may tell it: a newer server may know codes that we do not. */
export type ToldProblem = Pick<
  Problem,
  "state" | "issues" | "damaged_from" | "restriction" | "reason"
> & { code: string };

export interface Reading {
  /** What a route answers with. Throws where it is not what the route promises. */
  answer<N extends RouteName>(name: N, document: unknown): AnswerOf<N>;
  event(value: unknown): Event;
  taskEvent(value: unknown): TaskEvent;
  homeChange(value: unknown): HomeChange;
  /** Null where whoever says this is not Reprise. */
  problem(document: unknown): (ToldProblem & { detail: string }) | null;
  socketError(value: unknown): ToldProblem & { message: string };
}
