import {
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import * as z from "zod";
import { crashPoint } from "../../../kit/crash-point.ts";
import { hasErrno } from "../../../kit/errno.ts";
import { JournalRecord } from "./record.ts";

const flush = promisify(fdatasync);

/**
 * What agentctl did for one execution, one JSON record per line, appended before or after the deed as each record
 * says. The operating system keeps an appended line when we are killed; `flush` makes it survive a power loss too.
 */
export class Journal {
  readonly #fd: number;
  readonly #path: string;
  #closed = false;

  private constructor(path: string, fd: number) {
    this.#path = path;
    this.#fd = fd;
  }

  static open(path: string): { journal: Journal; records: Read[] } {
    const records = readJournal(path);
    return { journal: new Journal(path, openSync(path, "a", 0o600)), records };
  }

  append(record: JournalRecord): void {
    if (this.#closed) throw new Error(`${this.#path} is closed`);
    this.#write(Buffer.from(`${JSON.stringify(record)}\n`));
    crashPoint(`agentctl.journal.${record.kind}`);
  }

  async flush(): Promise<void> {
    await flush(this.#fd);
    crashPoint("agentctl.journal.flushed");
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#fd);
  }

  /** A disk that fills up takes a part of a line: that is taken back, or the next record would become part of it. */
  #write(line: Buffer): void {
    const { size } = fstatSync(this.#fd);
    try {
      for (let at = 0; at < line.length;) at += writeSync(this.#fd, line, at);
    } catch (error) {
      ftruncateSync(this.#fd, size);
      throw error;
    }
  }
}

/** A record, or a place where one was that cannot be read any more. */
export type Read = JournalRecord | { kind: "unreadable" };

/** Records of a kind we do not know are left where they are: a newer agentctl wrote them. A torn last line is cut off. */
const readJournal = (path: string): Read[] => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return [];
    throw error;
  }
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) cut(path, end);
  return bytes
    .subarray(0, end)
    .toString("utf8")
    .split("\n")
    .slice(0, -1)
    .flatMap(parse);
};

const cut = (path: string, end: number): void => {
  truncateSync(path, end);
  crashPoint("agentctl.journal.cut");
};

const parse = (line: string): Read[] => {
  const value = asJson(line);
  const record = JournalRecord.safeParse(value);
  if (record.success) return [record.data];
  return isFromTheFuture(value) ? [] : [{ kind: "unreadable" }];
};

const asJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const knownKinds: ReadonlySet<string> = new Set(
  JournalRecord.options.map(({ shape }) => shape.kind.value),
);

const isFromTheFuture = (value: unknown): boolean => {
  const record = z.object({ kind: z.string() }).safeParse(value);
  return record.success && !knownKinds.has(record.data.kind);
};
