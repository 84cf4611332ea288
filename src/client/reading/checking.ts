/** What a server says, held against the contract. */
import * as z from "zod";
import { type RouteName, routes } from "../../contract/api/route.ts";
import {
  Problem,
  type ProblemCode,
  problems,
  RepriseError,
} from "../../contract/problem/problem.ts";
import { isProblemCode } from "../../contract/problem/problem-codes.ts";
import { WireEvent, WireHomeChange, WireTaskEvent } from "../event.ts";
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
  problem: (document, status) => {
    const { data } = AnyProblem.safeParse(document);
    if (data === undefined) return null;
    const { code } = data;
    return { ...data, code: isProblemCode(code) ? code : nearestCode(status) };
  },
  socketError: (value) => {
    const { code, ...told } = AnySocketError.parse(value);
    return { ...told, code: isProblemCode(code) ? code : "internal" };
  },
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

/** The plainest code we know for a status. */
const nearestCode = (status: number): ProblemCode => {
  switch (status) {
    case problems.unauthorized[0]:
      return "unauthorized";
    case problems.not_found[0]:
      return "not_found";
    case problems.wrong_state[0]:
      return "wrong_state";
    case problems.session_ended[0]:
      return "session_ended";
    default:
      return status < 500 ? "invalid_request" : "internal";
  }
};
