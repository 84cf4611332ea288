import type { Client } from "../../../src/client/client.ts";

/** What the workspace needs of the client. */
export type WorkspaceClient = Pick<
  Client,
  | "endProcess"
  | "gitDiff"
  | "gitLog"
  | "gitStatus"
  | "listFiles"
  | "listProcesses"
  | "readFile"
  | "fileContent"
  | "searchFiles"
  | "showDiff"
>;
