/**
 * The thread that reads, on a connection of its own: a read never waits for a flush and a commit never waits for a
 * read, which one thread for both could not promise. A commit is visible here before it is acknowledged.
 */
import { failed, type Answer } from "../base/calls.ts";
import { openForReading } from "../base/connection.ts";
import { failureOf } from "../base/failure.ts";
import { readsOf, type Reads } from "../reading/reads.ts";
import { serveThread } from "./serve-thread.ts";

serveThread<Reads>(({ path }) => {
  const db = openForReading(path);
  const reads = readsOf(db);

  const answerOne = <K extends keyof Reads>(request: {
    id: number;
    kind: K;
    query: Reads[K]["query"];
  }): Answer => {
    try {
      return { id: request.id, value: reads[request.kind](request.query) };
    } catch (error) {
      return failed(request.id, failureOf(error, path));
    }
  };

  return {
    migrated: [],
    damage: null,
    // Each answer leaves as soon as it is there: a short read does not wait for the long one behind it.
    most: 1,
    answer: (requests, reply) => {
      for (const request of requests) reply([answerOne(request)]);
    },
    close: () => db.close(),
  };
});
