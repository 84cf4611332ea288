import { converse, say } from "./converse.ts";

converse({
  "session/prompt": () => {
    say("0123456789".repeat(1024 * 1024));
    return { result: { stopReason: "end_turn" } };
  },
});
