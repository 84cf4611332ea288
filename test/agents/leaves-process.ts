import { spawn } from "node:child_process";
import { converse, say } from "./converse.ts";

/** Leaves the session, keeps no pipe of ours, shrugs off polite signals and goes on writing to `survivor.log`. */
const survivor = `
  trap '' HUP INT TERM
  while :; do echo "$$ still here" >> survivor.log; sleep 0.05; done`;

converse({
  "session/prompt": () => {
    const child = spawn("sh", ["-c", survivor], {
      detached: true,
      stdio: "ignore",
    });
    child.unref();
    say(`left ${child.pid} behind\n`);
    return { result: { stopReason: "end_turn" } };
  },
});
