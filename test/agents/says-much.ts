/**
 * An ACP agent that says as much as it is asked to, as fast as it can. Each line of a prompt is a command and a number:
 *
 *     chunks N        N pieces of text                  calls N        N tool calls, each completed before the next
 *     message MIB     text, in pieces of 64 KiB         open N         N tool calls, completed when all have begun
 *     line MIB        text on one line                  output MIB     one tool call that shows so much, piece by piece
 *     answer MIB      the answer itself on such a line  late N         updates of N tool calls that never began
 *     plan N          a plan with N entries             tool-id BYTES  a tool call with so long an id
 *     ask N           N permission requests at once     stderr MIB     so much on stderr
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import * as z from "zod";

const Incoming = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .object({ prompt: z.array(z.object({ text: z.string() })).optional() })
    .optional(),
});

const SESSION = "much";
const MIB = 1024 * 1024;
const PIECE = 64 * 1024;

const write = (fd: number, bytes: string | Buffer): void => {
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length;) at += writeSync(fd, all, at);
};
const lineOf = (message: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const updateOf = (update: object): string =>
  lineOf({ method: "session/update", params: { sessionId: SESSION, update } });
const textOf = (text: string): string =>
  updateOf({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text },
  });

/** Many lines, a few hundred at a time: a write for each would take longer than all the rest. */
const writeMany = (count: number, line: (n: number) => string): void => {
  let held = "";
  for (let n = 0; n < count; n += 1) {
    held += line(n);
    if (held.length < PIECE) continue;
    write(1, held);
    held = "";
  }
  write(1, held);
};

/** A line that is longer than a string can be: a message that holds so much text where `@` stands. */
const writeLong = (message: string, mebibytes: number): void => {
  const [before = "", after = ""] = message.split("@");
  write(1, before);
  const piece = Buffer.alloc(MIB, "long ");
  for (let n = 0; n < mebibytes; n += 1) write(1, piece);
  write(1, after);
};

const begun = (n: number): string =>
  updateOf({
    sessionUpdate: "tool_call",
    toolCallId: `call_${n}`,
    title: `Read file ${n}`,
    kind: "read",
    status: "in_progress",
    rawInput: { path: `/work/src/file-${n}.ts` },
  });
const completed = (n: number): string =>
  updateOf({
    sessionUpdate: "tool_call_update",
    toolCallId: `call_${n}`,
    status: "completed",
    content: [
      { type: "content", content: { type: "text", text: `line 1 of ${n}` } },
    ],
  });

const waiting = new Map<string, () => void>();
const ask = async (count: number): Promise<void> => {
  const answers = Array.from(
    { length: count },
    (_, n) =>
      new Promise<void>((answered) => waiting.set(`ask_${n}`, answered)),
  );
  writeMany(count, (n) =>
    lineOf({
      id: `ask_${n}`,
      method: "session/request_permission",
      params: {
        sessionId: SESSION,
        toolCall: { toolCallId: `call_${n}`, title: `Edit ${n}`, kind: "edit" },
        options: [
          { optionId: "yes", name: "Allow", kind: "allow_once" },
          { optionId: "no", name: "Reject", kind: "reject_once" },
        ],
      },
    }),
  );
  await Promise.all(answers);
  write(1, textOf(`${count} answers`));
};

const output = (mebibytes: number): void => {
  write(1, begun(0));
  const data = "shown ".repeat(PIECE / 6);
  const pieces = (mebibytes * MIB) / PIECE;
  writeMany(pieces, () =>
    updateOf({
      sessionUpdate: "tool_call_update",
      toolCallId: "call_0",
      _meta: { terminal_output_delta: { data } },
    }),
  );
  write(1, completed(0));
};

const commands: Record<string, (n: number) => void | Promise<void>> = {
  chunks: (n) => writeMany(n, (i) => textOf(`word ${i} `)),
  message: (n) => {
    const text = "0123456789abcdef".repeat(PIECE / 16);
    writeMany((n * MIB) / PIECE, () => textOf(text));
  },
  line: (n) => writeLong(textOf("@"), n),
  calls: (n) => writeMany(n, (i) => begun(i) + completed(i)),
  open: (n) => {
    writeMany(n, begun);
    writeMany(n, completed);
  },
  output,
  late: (n) => writeMany(n, (i) => completed(1_000_000 + i)),
  plan: (n) => {
    const entry = { status: "pending", priority: "medium" };
    const entries = Array.from({ length: n }, (_, i) => ({
      content: `step ${i}`,
      ...entry,
    }));
    write(1, updateOf({ sessionUpdate: "plan", entries }));
  },
  "tool-id": (n) => {
    const toolCallId = "x".repeat(n);
    const call = { toolCallId, title: "Long id", status: "in_progress" };
    write(1, updateOf({ sessionUpdate: "tool_call", ...call }));
    const update = { toolCallId, status: "completed" };
    write(1, updateOf({ sessionUpdate: "tool_call_update", ...update }));
  },
  ask,
  stderr: (n) => {
    const piece = Buffer.alloc(MIB, "a line of complaints\n");
    for (let i = 0; i < n; i += 1) write(2, piece);
  },
};

const perform = async (
  id: string | number | undefined,
  text: string,
): Promise<void> => {
  let answer: number | null = null;
  for (const line of text.split("\n")) {
    const [name = "", number] = line.trim().split(" ");
    if (name === "answer") answer = Number(number);
    else await commands[name]?.(Number(number));
  }
  if (answer === null)
    return write(1, lineOf({ id, result: { stopReason: "end_turn" } }));
  const result = { stopReason: "end_turn", _meta: "@" };
  writeLong(lineOf({ id, result }), answer);
};

const take = ({ id, method, params }: z.infer<typeof Incoming>): void => {
  switch (method) {
    case "initialize": {
      const result = { protocolVersion: 1, agentCapabilities: {} };
      return write(1, lineOf({ id, result }));
    }
    case "session/new":
      return write(1, lineOf({ id, result: { sessionId: SESSION } }));
    case "session/prompt":
      return void perform(id, params?.prompt?.at(-1)?.text ?? "");
    case undefined:
      waiting.get(String(id))?.();
      return;
    default:
      if (id !== undefined)
        write(1, lineOf({ id, error: { code: -32601, message: "unknown" } }));
  }
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = Incoming.safeParse(JSON.parse(line)).data;
  if (message !== undefined) take(message);
});
