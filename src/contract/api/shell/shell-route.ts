/** The routes about interactive shells. What is typed and shown goes over the WebSocket (`shell-method.ts`). */
import * as z from "zod";
import { endpoint } from "../route-table.ts";
import { Shell } from "../../session/shell.ts";

/** Any number: what is too small or too large is brought back to what a terminal may have. */
export const ShellSize = z.strictObject({
  cols: z.number().int(),
  rows: z.number().int(),
});
export type ShellSize = z.infer<typeof ShellSize>;

export const OpenShellRequest = ShellSize.partial();
export type OpenShellRequest = z.infer<typeof OpenShellRequest>;

/** The oldest first. */
export const ShellPage = z.object({
  shells: z.array(Shell),
  next: z.string().nullable(),
});

export const shellRoutes = {
  openShell: {
    ...endpoint("openShell"),
    summary: "Open a shell in the workspace of a session",
    body: OpenShellRequest,
    answer: Shell,
  },
  listShells: {
    ...endpoint("listShells"),
    summary: "The shells of a session, open and ended, oldest first",
    answer: ShellPage,
  },
  showShell: {
    ...endpoint("showShell"),
    summary: "Show a shell",
    answer: Shell,
  },
  resizeShell: {
    ...endpoint("resizeShell"),
    summary: "Give the terminal of a shell another size",
    body: ShellSize,
    answer: Shell,
  },
  closeShell: {
    ...endpoint("closeShell"),
    summary: "End a shell and all it started, and forget it",
    answer: Shell,
  },
} as const;
