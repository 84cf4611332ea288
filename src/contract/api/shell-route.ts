/** The routes about interactive shells. What is typed and shown goes over the WebSocket (`shell-method.ts`). */
import * as z from "zod";
import { Shell } from "../session/shell.ts";

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
    method: "POST",
    path: "/api/sessions/:id/shells",
    summary: "Open a shell in the workspace of a session",
    body: OpenShellRequest,
    status: 201,
    answer: Shell,
  },
  listShells: {
    method: "GET",
    path: "/api/sessions/:id/shells",
    summary: "The shells of a session, open and ended, oldest first",
    status: 200,
    answer: ShellPage,
  },
  showShell: {
    method: "GET",
    path: "/api/sessions/:id/shells/:shell_id",
    summary: "Show a shell",
    status: 200,
    answer: Shell,
  },
  resizeShell: {
    method: "PUT",
    path: "/api/sessions/:id/shells/:shell_id/size",
    summary: "Give the terminal of a shell another size",
    body: ShellSize,
    status: 200,
    answer: Shell,
  },
  closeShell: {
    method: "DELETE",
    path: "/api/sessions/:id/shells/:shell_id",
    summary: "End a shell and all it started, and forget it",
    status: 200,
    answer: Shell,
  },
} as const;
