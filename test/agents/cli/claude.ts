/** Speaks as Claude Code does with `-p --input-format stream-json`: the flags and lines that our adapter uses. */
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import * as z from "zod";
import { Memory, misbehave, print } from "./memory.ts";

const memory = new Memory(
  process.env["CLAUDE_CONFIG_DIR"],
  "projects/scripted",
);

const { values } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  options: {
    resume: { type: "string" },
    "session-id": { type: "string" },
    "fork-session": { type: "boolean" },
  },
});
const resumed = values.resume?.toString();
const id = values["session-id"]?.toString() ?? resumed ?? "";

const Said = z.union([
  z.object({
    type: z.literal("user"),
    message: z.object({
      content: z.array(z.object({ text: z.string().optional() })),
    }),
  }),
  z.object({
    type: z.literal("control_response"),
    response: z.object({
      response: z.object({
        behavior: z.string(),
        message: z.string().optional(),
      }),
    }),
  }),
  z.object({ type: z.literal("control_request"), request_id: z.string() }),
]);

const finish = (more: object = {}): void =>
  print({
    type: "result",
    subtype: "success",
    is_error: false,
    stop_reason: "end_turn",
    result: "",
    session_id: id,
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 2 },
    ...more,
  });

const say = (text: string): void => {
  const message = { id: `msg_${text.length}`, role: "assistant" };
  const event = (inner: object): void =>
    print({ type: "stream_event", event: inner, parent_tool_use_id: null });
  event({ type: "message_start", message });
  event({ type: "content_block_delta", delta: { type: "text_delta", text } });
  print({
    type: "assistant",
    uuid: "00000000-0000-4000-8000-0000000000aa",
    message: { ...message, content: [{ type: "text", text }] },
  });
};

const ask = (): void => {
  const input = { command: "touch made" };
  const content = [{ type: "tool_use", id: "toolu_1", name: "Bash", input }];
  print({ type: "assistant", message: { id: "msg_ask", content } });
  print({
    type: "control_request",
    request_id: "ask-1",
    request: {
      subtype: "can_use_tool",
      tool_name: "Bash",
      tool_use_id: "toolu_1",
      input,
    },
  });
};

if (resumed !== undefined && !memory.has(resumed)) {
  const error = `No conversation found with session ID: ${resumed}`;
  process.stderr.write(`${error}\n`);
  finish({
    subtype: "error_during_execution",
    is_error: true,
    result: undefined,
    errors: [error],
  });
  process.exit(1);
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = Said.parse(JSON.parse(line));
  if (said.type === "control_request") {
    const { request_id } = said;
    print({
      type: "control_response",
      response: { subtype: "success", request_id, response: {} },
    });
    continue;
  }
  if (said.type === "control_response") {
    const { behavior, message } = said.response.response;
    const result = { type: "tool_result", tool_use_id: "toolu_1" };
    const is_error = behavior !== "allow";
    print({
      type: "user",
      message: {
        content: [{ ...result, is_error, content: message ?? "done" }],
      },
    });
    finish();
    continue;
  }
  const prompt = said.message.content.map(({ text }) => text ?? "").join("");
  if (values["fork-session"] === true && resumed !== undefined)
    memory.fork(resumed, id);
  const all = memory.take(id, prompt);
  print({ type: "system", subtype: "init", session_id: id });
  if (prompt === "odd") {
    print({ type: "telepathy", thought: 1 });
    process.stdout.write("no JSON\n");
  }
  await misbehave(prompt, say);
  if (prompt === "ask") ask();
  else {
    say(`I know ${all.join(", ")}`);
    finish();
  }
}
