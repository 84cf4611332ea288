/**
 * Goes on after a crash: run it again with the same session and key. The prompt is executed once; a turn that was cut off is
 * continued and not sent again.
 *
 *   node after-a-crash.ts SESSION
 */
import { localReprise } from "reprise/client/node";

const reprise = await localReprise();
const id = process.argv[2] ?? "";

const turn = await reprise
  .session(id)
  .prompt("write a.txt one\ncrash", { key: "job-7" });
let result = await turn.result();
console.log(result.status, result.error?.message ?? "");
if (result.status === "interrupted") {
  await turn.continue();
  result = await turn.result();
}
console.log(result.status, result.resume?.grade, result.files);
