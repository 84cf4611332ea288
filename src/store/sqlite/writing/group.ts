/**
 *   waiting writes ─► BEGIN ─► each: refused, or written ─► COMMIT (one flush for all) ─► answers
 *                                   │ accident
 *                                   └─► ROLLBACK ─► each write again, alone: only the one at fault fails
 */
import type { DatabaseSync } from "node:sqlite";
import { unreachable } from "../../../kit/unreachable.ts";
import type { Refusal } from "../../refusal.ts";
import type { Request } from "../../../kit/worker-rpc/messages.ts";
import { type Answer, failed } from "../base/calls.ts";
import { failureOf } from "../base/failure.ts";
import { transactionsOf } from "../base/transaction.ts";
import { writesOf, type Writes } from "./writes.ts";

type WriteRequest = Request<Writes>;

/** Makes writes durable together. What it returns for a write that was not refused is on the disk. */
export const groupCommit = (db: DatabaseSync, path: string) => {
  const writes = writesOf(db);
  const { begin, commit, rollback } = transactionsOf(db);

  const perform = (request: WriteRequest): Answer => {
    const { id, kind, query } = request;
    switch (kind) {
      case "claim":
        return { id, value: writes.claim(query) };
      case "append":
        return answerOf(id, writes.append(query));
      case "purge":
        return answerOf(id, writes.purge(query));
      case "noteSwept":
        return answerOf(id, writes.noteSwept(query));
      case "attend":
        return answerOf(id, writes.attend(query));
      case "saveLine":
        return answerOf(id, writes.saveLine(query));
      case "appendTask":
        return answerOf(id, writes.appendTask(query));
      case "markTask":
        return answerOf(id, writes.markTask(query));
      case "purgeTask":
        return answerOf(id, writes.purgeTask(query));
      case "forgetTaskNews":
        return answerOf(id, writes.forgetTaskNews(query));
      case "changeWebhooks":
        return answerOf(id, writes.changeWebhooks(query));
      case "putReceipt":
        return answerOf(id, writes.putReceipt(query));
      case "addReceipt":
        return answerOf(id, writes.addReceipt(query));
      case "derive":
        return answerOf(id, writes.derive(query));
      case "mark":
        return answerOf(id, writes.mark(query));
      case "trash":
        return answerOf(id, writes.trash(query));
      default:
        return unreachable(kind);
    }
  };

  const transact = (requests: readonly WriteRequest[]): Answer[] => {
    try {
      const answers = requests.map(perform);
      commit();
      return answers;
    } catch (error) {
      rollback();
      throw error;
    }
  };

  const settle = (requests: readonly WriteRequest[]): Answer[] => {
    const fail = (error: unknown): Answer[] => {
      const failure = failureOf(error, path);
      return requests.map(({ id }) => failed(id, failure));
    };
    try {
      begin();
    } catch (error) {
      return fail(error);
    }
    try {
      return transact(requests);
    } catch (error) {
      if (requests.length === 1) return fail(error);
      return requests.flatMap((request) => settle([request]));
    }
  };
  return settle;
};

const answerOf = (id: number, refusal: Refusal | null): Answer =>
  refusal === null ? { id, value: null } : failed(id, refusal);
