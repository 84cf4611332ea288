import type { RawData } from "ws";
import { LinkAnswer } from "../../contract/link/link.ts";
import type { LinkRefusal } from "../../contract/link/link-refusal.ts";
import { parseReport, type Report } from "./report.ts";

/** What agentctl can say. */
export type Frame =
  | { kind: "report"; report: Report }
  | { kind: "answer"; id: number; result: unknown }
  | { kind: "refusal"; id: number; code: LinkRefusal; message: string };

/** Throws when it is none of these. */
export const parseFrame = (data: RawData): Frame => {
  const raw: unknown = JSON.parse(textOf(data));
  if (typeof raw === "object" && raw !== null && "report" in raw)
    return { kind: "report", report: parseReport(raw) };
  const answer = LinkAnswer.parse(raw);
  if (!("error" in answer))
    return { kind: "answer", id: answer.id, result: answer.result };
  const { code, message } = answer.error;
  if (answer.id === null)
    throw new Error(`agentctl could not read our frame: ${code}: ${message}`);
  return { kind: "refusal", id: answer.id, code, message };
};

/** One message, however it came in pieces. */
export const textOf = (data: RawData): string =>
  Buffer.isBuffer(data)
    ? data.toString()
    : Array.isArray(data)
      ? Buffer.concat(data).toString()
      : Buffer.from(data).toString();
