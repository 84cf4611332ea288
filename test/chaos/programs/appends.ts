/**
 * `node appends.ts FILE TIMES MS`: a command as agents run them. It writes who it is and when, again and again, so that
 * whatever goes on writing after its execution has ended is found out.
 */
import { appendFileSync } from "node:fs";

const [file = "", times = "0", every = "20"] = process.argv.slice(2);
const execution = process.env["REPRISE_EXECUTION"] ?? "nobody";
let count = 0;
const timer = setInterval(() => {
  appendFileSync(file, `${Date.now()} ${execution} ${count}\n`);
  count += 1;
  if (count >= Number(times)) clearInterval(timer);
}, Number(every));
