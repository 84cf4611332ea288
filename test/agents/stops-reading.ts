import { converse, SESSION_ID } from "./converse.ts";

setInterval(() => {}, 60_000);
converse({
  "session/new": () => {
    process.stdin.pause();
    return { result: { sessionId: SESSION_ID } };
  },
});
