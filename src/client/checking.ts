/** What a server says, held against the contract. */
import * as z from "zod";
import { type RouteName, routes } from "../contract/api/route.ts";
import { Problem, RepriseError } from "../contract/problem/problem.ts";
import { WireEvent, WireHomeChange, WireTaskEvent } from "./event.ts";
import type { AnswerOf, Reading } from "./reading.ts";

export const checking: Reading = {
  answer: (name, document) => {
    const answer = answers[name].answer.safeParse(document);
    if (answer.success) return answer.data;
    throw new RepriseError(
      "internal",
      `The server's answer to ${name} does not fit the contract: client and server may be of different releases.`,
      { cause: answer.error },
    );
  },
  event: (value) => WireEvent.parse(value),
  taskEvent: (value) => WireTaskEvent.parse(value),
  homeChange: (value) => WireHomeChange.parse(value),
  problem: (document) => AnyProblem.safeParse(document).data ?? null,
  socketError: (value) => AnySocketError.parse(value),
};

/** The same table, so that the name of a route leads to the type of its answer. */
const answers: { [N in RouteName]: { answer: z.ZodType<AnswerOf<N>> } } =
  routes;

/** A newer server may know codes and reasons that we do not. */
const AnyProblem = Problem.extend({
  code: z.string(),
  restriction: Problem.shape.restriction.catch(undefined),
  reason: Problem.shape.reason.catch(undefined),
});

const AnySocketError = AnyProblem.omit({
  type: true,
  title: true,
  status: true,
  detail: true,
}).extend({ message: z.string() });
