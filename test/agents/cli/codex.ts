/** Speaks as `codex exec --json` does: the flags and lines that our adapter uses. */
import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { Memory, misbehave, print } from "./memory.ts";

const memory = new Memory(
  process.env["CODEX_HOME"],
  "sessions/2026/11/15",
  "rollout-2026-11-15T10-00-00-",
);

const [, command = "", ...rest] = process.argv.slice(2);
const named = rest.at(-2) ?? "";
const prompt = await text(process.stdin);

const openThread = (): string => {
  if (command === "resume" && prompt !== "lose the thread") {
    if (memory.has(named)) return named;
    process.stderr.write(`no rollout found for thread id ${named}\n`);
    process.exit(1);
  }
  const id = randomUUID();
  if (command === "fork") memory.fork(named, id);
  return id;
};

const thread_id = openThread();
const all = memory.take(thread_id, prompt);
print({ type: "thread.started", thread_id });
print({ type: "turn.started" });
const item = (kind: string, more: object): void =>
  print({ type: `item.${kind}`, item: { id: "item_0", ...more } });
const say = (said: string): void =>
  item("completed", { id: "item_1", type: "agent_message", text: said });
await misbehave(prompt, say);
const run = {
  type: "command_execution",
  command: "true",
  aggregated_output: "",
};
item("started", { ...run, status: "in_progress" });
item("completed", { ...run, aggregated_output: "ok\n", status: "completed" });
say(`I know ${all.join(", ")}`);
print({
  type: "turn.completed",
  usage: { input_tokens: 10 * all.length, output_tokens: 5 * all.length },
});
