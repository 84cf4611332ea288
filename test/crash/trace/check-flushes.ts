import { dirname } from "node:path";
import { type Frame, framesIn } from "./frame.ts";
import type { SystemCall } from "./system-call.ts";

/** What is said to others only when something is durable. */
export const promises = [
  /** A created session, an accepted prompt: 201, 202. */
  "answer",
  /** A report that the server has. */
  "acknowledgement",
  /** A term that agentctl has seen. */
  "hello",
  /** An execution that agentctl will bring up, a prompt that it will hand over. */
  "start",
  "prompt",
  /** The byte that makes an agent take a message. */
  "newline",
] as const;
export type Promised = (typeof promises)[number];

/** Each promise that was made, and whether what it rests on had been written and flushed when it was. */
export interface Made {
  promised: Promised;
  what: string;
  kept: boolean;
}

/** Looks at every promise in a trace. */
export const checkFlushes = (calls: readonly SystemCall[]): Made[] => [
  ...answers(calls),
  ...newlines(calls),
  ...overTheLink(calls),
];

const LOG = /\/reprise\.db-wal$/;
const JOURNAL = /\/executions\/[^/]+\/journal$/;

const answers = (calls: readonly SystemCall[]): Made[] =>
  calls.flatMap((call) => {
    const text = call.bytes.toString("latin1");
    if (!isWrite(call) || !/^HTTP\/1\.1 20[12] /.test(text)) return [];
    const [id] = /"id":"((?:prm|ses)_[a-z0-9]+)"/.exec(text)?.slice(1) ?? [];
    const kept = id !== undefined && isFlushed(calls, call, LOG, id);
    return [{ promised: "answer", what: id ?? text, kept }];
  });

/** The record of each newline is the one that was written since the newline before. */
const newlines = (calls: readonly SystemCall[]): Made[] => {
  const last = new Map<string, number>();
  return calls.flatMap((call) => {
    if (!isWrite(call) || !call.path.endsWith("/stdin")) return [];
    if (call.bytes.toString() !== "\n") return [];
    const journal = `${dirname(call.path)}/journal`;
    const since = last.get(journal) ?? -1;
    last.set(journal, call.began);
    const kept = isFlushed(calls, call, journal, '"kind":"committed"', since);
    return [{ promised: "newline", what: `${journal} ${call.began}`, kept }];
  });
};

const overTheLink = (calls: readonly SystemCall[]): Made[] => {
  const asked = new Map<number, Frame>();
  const reported = new Map<string, SystemCall>();
  const made: Made[] = [];
  for (const call of calls) {
    if (!isWrite(call)) continue;
    for (const frame of framesIn(call.bytes)) {
      const { id, method, params, result, report } = frame;
      if (report !== undefined)
        reported.set(`${report.execution_id} ${report.number}`, call);
      else if (method === "acknowledge")
        made.push(acknowledgement(calls, call, params ?? {}, reported));
      else if (method !== undefined && id != null) asked.set(id, frame);
      else if (result !== undefined && id != null)
        made.push(...answer(calls, call, asked.get(id)));
    }
  }
  return made;
};

/** What was reported changed the journal: something was written since, and flushed. */
const acknowledgement = (
  calls: readonly SystemCall[],
  call: SystemCall,
  { execution_id, report }: Record<string, unknown>,
  reported: ReadonlyMap<string, SystemCall>,
): Made => {
  const what = `${String(execution_id)} ${String(report)}`;
  const since = reported.get(what)?.began ?? Number.POSITIVE_INFINITY;
  const kept = isFlushed(calls, call, LOG, "", since);
  return { promised: "acknowledgement", what, kept };
};

const answer = (
  calls: readonly SystemCall[],
  call: SystemCall,
  asked: Frame | undefined,
): Made[] => {
  const { method, params } = asked ?? {};
  switch (method) {
    case "hello": {
      const kept = isPlaced(calls, call, /\/agentctl\/term$/);
      return [{ promised: "hello", what: String(params?.["term"]), kept }];
    }
    case "start": {
      const what = `"execution_id":"${String(params?.["execution_id"])}"`;
      const kept = isFlushed(calls, call, JOURNAL, what);
      return [{ promised: method, what, kept }];
    }
    case "prompt": {
      const what = `"kind":"handed","prompt_id":"${String(params?.["prompt_id"])}"`;
      const kept = isFlushed(calls, call, JOURNAL, what);
      return [{ promised: method, what, kept }];
    }
    default:
      return [];
  }
};

/** Whether these words were written to the file, since a moment, and the file was flushed, before this call began. */
const isFlushed = (
  calls: readonly SystemCall[],
  before: SystemCall,
  file: RegExp | string,
  words: string,
  since = -1,
): boolean =>
  calls.some(
    (written) =>
      isWrite(written) &&
      written.began > since &&
      fits(written.path, file) &&
      written.bytes.includes(words) &&
      isFollowedByFlush(calls, written, before),
  );

const isFollowedByFlush = (
  calls: readonly SystemCall[],
  written: SystemCall,
  before: SystemCall,
): boolean =>
  calls.some(
    (flush) =>
      /^f(data)?sync$/.test(flush.name) &&
      flush.path === written.path &&
      flush.began > written.ended &&
      flush.ended < before.began,
  );

/** Whether a file was written beside its place, flushed, renamed, and its directory flushed, before this call began. */
const isPlaced = (
  calls: readonly SystemCall[],
  before: SystemCall,
  file: RegExp,
): boolean =>
  calls.some(
    (renamed) =>
      renamed.name.startsWith("rename") &&
      file.test(renamed.to ?? "") &&
      isFlushed(calls, renamed, renamed.path, "") &&
      isFollowedByFlush(
        calls,
        { ...renamed, path: dirname(renamed.to ?? "") },
        before,
      ),
  );

const isWrite = ({ name }: SystemCall): boolean =>
  /^(write|writev|pwrite64|pwritev2?|sendto|sendmsg)$/.test(name);

const fits = (path: string, file: RegExp | string): boolean =>
  typeof file === "string" ? path === file : file.test(path);
