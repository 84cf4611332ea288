import type { ReportItem } from "../../../contract/link/report.ts";

/** Text that continues the text before it becomes one item with it, up to this size. */
const MAX_TEXT = 4 * 1024;
/** With this much waiting, the rest stays in the file until there is room. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** One report is a piece of work for the server, in which everybody else waits: a few milliseconds. */
const MAX_REPORT_ITEMS = 16;
/** So many make the next few reports. */
const ENOUGH_ITEMS = 4 * MAX_REPORT_ITEMS;
const MAX_REPORT_BYTES = 128 * 1024;

interface Waiting {
  item: ReportItem;
  bytes: number;
}

/** Items that wait to be reported. */
export class Outbox {
  #waiting: Waiting[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get hasEnough(): boolean {
    return this.#waiting.length >= ENOUGH_ITEMS;
  }

  get hasRoom(): boolean {
    return this.#bytes < MAX_WAITING_BYTES;
  }

  /** `bytes` is how much of the agent's output the item stands for, or about how large it is. */
  push(item: ReportItem, bytes: number): void {
    this.#bytes += bytes;
    const last = this.#waiting.at(-1);
    const joined = last === undefined ? null : join(last.item, item);
    if (last === undefined || joined === null)
      this.#waiting.push({ item, bytes });
    else {
      last.item = joined;
      last.bytes += bytes;
    }
  }

  /** The items of the next report, the oldest first: at least one when any wait. */
  take(): ReportItem[] {
    let count = 0;
    let bytes = 0;
    for (const each of this.#waiting) {
      if (count > 0 && bytes + each.bytes > MAX_REPORT_BYTES) break;
      if (count === MAX_REPORT_ITEMS) break;
      count += 1;
      bytes += each.bytes;
    }
    this.#bytes -= bytes;
    return this.#waiting.splice(0, count).map(({ item }) => item);
  }

  clear(): void {
    this.#waiting = [];
    this.#bytes = 0;
  }
}

const join = (before: ReportItem, item: ReportItem): ReportItem | null =>
  before.kind === "text" &&
  item.kind === "text" &&
  before.role === item.role &&
  before.range.to === item.range.from &&
  before.text.length + item.text.length <= MAX_TEXT
    ? {
        ...before,
        text: before.text + item.text,
        range: { from: before.range.from, to: item.range.to },
      }
    : null;
