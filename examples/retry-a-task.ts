/** A task that is retried by itself when an attempt is cut off. */
import { localReprise } from "reprise/client/node";

const reprise = await localReprise();
const task = await reprise.tasks.create({
  title: "Write the file",
  description: "write done.txt yes",
  agent: "demo",
  cwd: process.cwd(),
  retry: { limit: 2, backoff_seconds: 1 },
  run: true,
});
const { state, attempts } = await task.result();
console.log(state, attempts);
for (const { outcome, files_changed } of await task.attempts())
  console.log(outcome, files_changed?.map(({ path }) => path).join(" "));
await task.done();
