/** How a tool is declared. Its input is checked by us, so that a mistake is told in our words. */
import { createHash, randomUUID } from "node:crypto";
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type * as z from "zod";
import { refusal, refusalOf } from "./answer.ts";
import { argumentFaults } from "./argument-fault.ts";
import type { Caller } from "./caller.ts";
import type { Door } from "./door.ts";

export type ToolResult = CallToolResult | InputRequiredResult;

/** One call of a tool. */
export interface Call {
  door: Door;
  caller: Caller;
  ctx: ServerContext;
  /** The idempotency key of what the call changes: the same when the client repeats the call. */
  key: string;
}

interface Declaration<Input extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output?: z.ZodObject;
  /** It changes nothing, so clients need not ask before they call it. */
  readOnly?: true;
  /** Always shown to the model, also where a client hides tools until they are searched for. */
  alwaysLoad?: true;
  run(input: z.output<Input>, call: Call): Promise<ToolResult>;
}

export interface Tool {
  register(
    server: McpServer,
    call: (ctx: ServerContext) => Omit<Call, "key">,
  ): void;
}

export const tool = <Input extends z.ZodObject>(
  declared: Declaration<Input>,
): Tool => ({
  register(server, call) {
    const { name, title, description, input, output, alwaysLoad } = declared;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: unchecked(input),
        ...(output !== undefined && { outputSchema: output }),
        annotations: annotationsOf(declared),
        ...(alwaysLoad && { _meta: { "anthropic/alwaysLoad": true } }),
      },
      async (given, ctx) => {
        const parsed = input.safeParse(given ?? {});
        if (!parsed.success)
          return refusal(argumentFaults(name, input, given, parsed.error));
        try {
          const made = call(ctx);
          const key = keyOf(made.caller, name);
          return await declared.run(parsed.data, { ...made, key });
        } catch (error) {
          return refusalOf(error);
        }
      },
    );
  },
});

/** Of the client's own id of the call, where it has one. The same id may name calls of several tools. */
const keyOf = ({ name, callId }: Caller, toolName: string): string => {
  if (callId === null) return `mcp-${randomUUID()}`;
  const call = JSON.stringify([name, callId, toolName]);
  return `mcp-${createHash("sha256").update(call).digest("hex")}`;
};

const annotationsOf = ({ readOnly }: { readOnly?: true }): ToolAnnotations => ({
  readOnlyHint: readOnly ?? false,
});

/** The schema as it is listed, with every input let through. */
const unchecked = (
  schema: z.ZodObject,
): StandardSchemaWithJSON<unknown, unknown> => ({
  "~standard": {
    version: 1,
    vendor: "reprise",
    validate: (value) => ({ value }),
    jsonSchema: schema["~standard"].jsonSchema,
  },
});
