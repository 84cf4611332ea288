import type { PermissionOption } from "@agentclientprotocol/sdk/unstable";
import * as z from "zod";
import { shownTool } from "./claude-tool.ts";
import type { Interpreted } from "../dialect/dialect.ts";

/** What Claude Code asks of its host on stdout, to be answered on stdin. We only know permissions. */
export const interpretAsk = (line: unknown): Interpreted[] => {
  const asked = CanUseTool.safeParse(line).data;
  if (asked !== undefined) return [{ kind: "ask", ask: askOf(asked) }];
  const id = Request.safeParse(line).data?.request_id;
  const kept: Interpreted = { kind: "unknown", line };
  return id === undefined ? [kept] : [kept, { kind: "reply", line: no(id) }];
};

const Request = z.object({ request_id: z.string() });

const CanUseTool = z.object({
  request_id: z.string(),
  request: z.object({
    subtype: z.literal("can_use_tool"),
    tool_name: z.string(),
    tool_use_id: z.string().optional(),
    input: z.unknown().optional(),
    permission_suggestions: z.array(z.unknown()).optional().catch(undefined),
  }),
});
type CanUseTool = z.infer<typeof CanUseTool>;

const askOf = ({ request_id, request }: CanUseTool) => {
  const { tool_name, tool_use_id, input, permission_suggestions } = request;
  const { title, kind, rawInput, locations, content } = shownTool(
    tool_use_id ?? request_id,
    tool_name,
    input,
  );
  const rules = (permission_suggestions ?? []).filter(isLasting);
  const allow = { behavior: "allow", updatedInput: input };
  const answers = new Map<string, object>([
    ["allow", yes(request_id, allow)],
    ["reject", yes(request_id, { behavior: "deny", message: REJECTED })],
  ]);
  if (rules.length > 0)
    answers.set(
      "allow_always",
      yes(request_id, { ...allow, updatedPermissions: rules }),
    );
  return {
    toolCall: {
      toolCallId: tool_use_id ?? request_id,
      title,
      name: tool_name,
      rawInput,
      ...(kind === undefined ? {} : { kind }),
      ...(locations === undefined ? {} : { locations }),
      ...(content === undefined ? {} : { content }),
    },
    options: options.filter(({ optionId }) => answers.has(optionId)),
    answers,
  };
};

const options: PermissionOption[] = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "allow_always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

const REJECTED = "The user does not want this to be done.";

/** Rules that are written down. Those that hold for a process would be gone with the turn: each turn is a process. */
const isLasting = (suggestion: unknown): boolean =>
  Rule.safeParse(suggestion).success;

const Rule = z.object({
  type: z.literal("addRules"),
  destination: z.enum(["localSettings", "projectSettings", "userSettings"]),
});

const yes = (request_id: string, response: object): object => ({
  type: "control_response",
  response: { subtype: "success", request_id, response },
});

const no = (request_id: string): object => ({
  type: "control_response",
  response: { subtype: "error", request_id, error: "not supported" },
});
