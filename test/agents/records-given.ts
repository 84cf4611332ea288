/**
 * An ACP agent that writes down, line by line, every request it gets (`GIVEN` names the file) and offers modes and
 * models. It refuses the model "unknown", takes no images, and asks before it runs a command:
 * `run COMMAND` → a permission request of the tool Bash, answered with the option that was chosen.
 * `quota SECONDS` → the error of an agent whose quota is used up for so long.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import * as z from "zod";
import { send } from "./converse.ts";

const Request = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
});
type Request = z.infer<typeof Request>;

const SESSION = "recorded";
const system = process.argv.includes("--system-prompt");
const waiting = new Map<string | number, (result: unknown) => void>();

createInterface({ input: process.stdin }).on("line", (line) => {
  appendFileSync(process.env["GIVEN"] ?? "/dev/null", `${line}\n`);
  const request = Request.parse(JSON.parse(line));
  if (request.method === undefined)
    waiting.get(request.id ?? "")?.(request.result);
  else void answer(request);
});

const answer = async ({ id, method = "", params }: Request): Promise<void> => {
  const result = await resultOf(method, params);
  if (id === undefined) return;
  const seconds = quotaIn(method, params);
  if (seconds !== null) return send({ id, error: usedUp(seconds) });
  send(
    result === null
      ? { id, error: { code: -32602, message: "there is no such thing" } }
      : { id, result },
  );
};

const quotaIn = (method: string, params: unknown): number | null => {
  if (method !== "session/prompt") return null;
  const text = Prompt.parse(params).prompt.at(-1)?.text ?? "";
  const [, seconds] = /^quota (\d+)$/.exec(text) ?? [];
  return seconds === undefined ? null : Number(seconds);
};

/** As Claude has it: a time in whole seconds since 1970. */
const usedUp = (seconds: number): object => ({
  code: -32603,
  message: "Usage limit reached",
  data: {
    errorKind: "rate_limit",
    resetsAt: Math.ceil(Date.now() / 1000) + seconds,
  },
});

const resultOf = async (
  method: string,
  params: unknown,
): Promise<object | null> => {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { embeddedContext: true },
          sessionCapabilities: system ? { systemPrompt: {} } : {},
        },
      };
    case "session/new":
      return { sessionId: SESSION, ...offers };
    case "session/load":
      replay();
      return offers;
    case "session/set_mode":
    case "session/set_config_option":
      return Value.safeParse(params).data?.value === "unknown" ? null : {};
    case "session/prompt": {
      const text = Prompt.parse(params).prompt.at(-1)?.text ?? "";
      await run(text);
      return {
        stopReason: "end_turn",
        usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
      };
    }
    default:
      return null;
  }
};

const offers = {
  modes: { currentModeId: "normal", availableModes: [] },
  configOptions: [{ id: "which-model", category: "model", options: [] }],
};

const Value = z.object({ value: z.string() });
const Prompt = z.object({
  prompt: z.array(z.object({ text: z.string().optional() })),
});

/** Enough for a resume to be believed. */
const replay = (): void => {
  for (let n = 0; n < 10; n++)
    tell({
      sessionUpdate: "user_message_chunk",
      content: { type: "text", text: "before" },
    });
};

const run = async (text: string): Promise<void> => {
  const [, command] = /^run (.*)$/.exec(text) ?? [];
  if (command === undefined) return;
  const id = `ask-${waiting.size}`;
  const chosen = new Promise<unknown>((resolve) => waiting.set(id, resolve));
  send({
    id,
    method: "session/request_permission",
    params: {
      sessionId: SESSION,
      toolCall: {
        toolCallId: id,
        title: "Terminal",
        kind: "execute",
        name: "Bash",
        rawInput: { command },
      },
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    },
  });
  tell({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: JSON.stringify(await chosen) },
  });
};

const tell = (update: object): void =>
  send({ method: "session/update", params: { sessionId: SESSION, update } });
