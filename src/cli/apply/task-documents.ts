/** The tasks that a file describes. A file with anything wrong in it describes none: all faults are told at once. */
import type * as z from "zod";
import { ApplyTaskRequest, TaskName } from "../../contract/api/task-request.ts";
import { didYouMean } from "../parsing/nearest.ts";
import { UsageError } from "../parsing/usage-error.ts";
import {
  type Path,
  type YamlDocument,
  yamlDocuments,
} from "./yaml-documents.ts";

const API_VERSION = "reprise/v1";
const KIND = "Task";

export interface TaskDocument {
  name: string;
  request: ApplyTaskRequest;
  /** Where it stands, for who reads an error about it. */
  source: string;
}

/** What a task in a file may say. Its environment is never in the file: it comes from who applies it. */
const { caller_env: _, ...fields } = ApplyTaskRequest.shape;
const FIELDS = ["apiVersion", "kind", "name", ...Object.keys(fields)];

export const taskDocuments = async (
  text: string,
  file: string,
): Promise<TaskDocument[]> => {
  const faults: string[] = [];
  const tasks: TaskDocument[] = [];
  const documents = await yamlDocuments(text);
  if (documents.length === 0)
    throw new UsageError(`${file} describes nothing.`);
  for (const document of documents) {
    const place = (line: number): string =>
      `${file}, document ${document.number}, line ${line}`;
    const complain = (line: number, words: string): void => {
      faults.push(`${place(line)}: ${words}`);
    };
    const task = readTask(document, complain);
    if (task === null) continue;
    if (tasks.some(({ name }) => name === task.name))
      complain(
        document.lineOf(["name"]),
        `"${task.name}" is the name of an earlier document too.`,
      );
    tasks.push({ ...task, source: place(document.lineOf([])) });
  }
  if (faults.length > 0)
    throw new UsageError(`Nothing was applied.\n${faults.join("\n")}`);
  return tasks;
};

type Complain = (line: number, words: string) => void;

const readTask = (
  { value, faults, lineOf }: YamlDocument,
  complain: Complain,
): Omit<TaskDocument, "source"> | null => {
  for (const { line, message } of faults) complain(line, message);
  if (faults.length > 0) return null;
  if (!isRecord(value)) {
    complain(
      lineOf([]),
      "it must be a mapping with apiVersion, kind and name.",
    );
    return null;
  }
  const { apiVersion, kind, name, ...said } = value;
  const at = (path: Path, words: string): void => complain(lineOf(path), words);
  if (apiVersion !== API_VERSION)
    at(
      ["apiVersion"],
      `apiVersion must be ${API_VERSION}${butIs(apiVersion)}.`,
    );
  if (kind !== KIND) {
    at(["kind"], `kind must be ${KIND}${butIs(kind)}.`);
    return null;
  }
  const named = TaskName.safeParse(name);
  if (!named.success)
    at(["name"], `name must be given: ${messageIn(named.error)}.`);
  const request = ApplyTaskRequest.safeParse(said);
  for (const issue of request.error?.issues ?? []) tellIssue(issue, at);
  // Known to the server, and nothing that a file may say.
  if ("caller_env" in said) at(["caller_env"], unknownField("caller_env"));
  return named.success && request.success
    ? { name: named.data, request: request.data }
    : null;
};

const tellIssue = (
  issue: z.core.$ZodIssue,
  at: (path: Path, words: string) => void,
): void => {
  if (issue.code === "unrecognized_keys")
    for (const key of issue.keys)
      at(
        [...issue.path, key],
        issue.path.length === 0 ? unknownField(key) : `unknown field "${key}".`,
      );
  else
    at(
      issue.path,
      issue.path.length === 0
        ? `${issue.message}.`
        : `${issue.path.map(String).join(".")}: ${issue.message}.`,
    );
};

const unknownField = (key: string): string =>
  `unknown field "${key}".${didYouMean(key, FIELDS, (name) => `"${name}"`)}`;

const butIs = (value: unknown): string =>
  value === undefined ? "" : `, not ${JSON.stringify(value)}`;

const messageIn = (error: z.ZodError): string =>
  error.issues.map(({ message }) => message).join(" and ");

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
