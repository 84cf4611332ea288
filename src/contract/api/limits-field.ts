/** What a request may say about tools and permissions, of a session or of one prompt. */
import * as z from "zod";
import {
  PermissionDefault,
  PermissionPolicy,
  PermissionRule,
} from "../agent/permission.ts";
import { ToolPattern } from "../agent/tool-pattern.ts";

/** A word for the default, or the default with rules. */
export const PermissionsField = z.union([
  PermissionDefault.transform((word) => ({ default: word, rules: [] })),
  PermissionPolicy.extend({
    rules: z
      .array(PermissionRule.extend({ tool: ToolPattern }))
      .max(200)
      .default([]),
  }),
]);

/** The limits of one prompt. */
export const LimitsField = z.strictObject({
  allowed_tools: z.array(ToolPattern).max(500).optional(),
  disallowed_tools: z.array(ToolPattern).max(500).optional(),
  max_tool_calls: z.int().min(1).max(1_000_000_000).optional(),
  permissions: PermissionsField.optional(),
});
