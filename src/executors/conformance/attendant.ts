/** One execution as a careful server attends to it: takes every report in order, acknowledges it, remembers what was said. */
import type { LinkReport, StartOrder } from "../../contract/link.ts";
import type { ReportItem } from "../../contract/report.ts";
import { within } from "../../kit/time/deadline.ts";
import type { Place } from "../../runtime/ports/executors.ts";
import { patience } from "../../kit/fixtures/patience.ts";

type Kind = ReportItem["kind"];
type Item<K extends Kind> = Extract<ReportItem, { kind: K }>;

export class Attendant {
  readonly items: ReportItem[] = [];
  /** Bytes of the agent's output that were taken and acknowledged. */
  taken: number;
  readonly #place: Place;
  readonly #order: Pick<StartOrder, "execution_id" | "epoch">;
  #arrived = Promise.withResolvers<void>();
  #acknowledging: Promise<void> = Promise.resolve();

  constructor(
    place: Place,
    order: Pick<StartOrder, "execution_id" | "epoch">,
    from = 0,
  ) {
    this.#place = place;
    this.#order = order;
    this.taken = from;
    place.onReport((report) => this.#take(report));
  }

  /** The first item of this kind, from `after` on, that has come or will come. */
  async first<K extends Kind>(kind: K, after = 0): Promise<Item<K>> {
    const isIt = (item: ReportItem): item is Item<K> => item.kind === kind;
    const search = async (): Promise<Item<K>> => {
      for (;;) {
        const found = this.items.slice(after).find(isIt);
        if (found !== undefined) return found;
        await this.#arrived.promise;
      }
    };
    return within(`waiting for ${kind}`, patience(30_000), search());
  }

  /** What the agent said, joined. */
  text(): string {
    return this.items
      .map((item) => (item.kind === "text" ? item.text : ""))
      .join("");
  }

  /** Resolves when everything taken so far is acknowledged, or the link is gone. */
  async drained(): Promise<void> {
    await this.#acknowledging;
  }

  #take(report: LinkReport["report"]): void {
    if (report.execution_id !== this.#order.execution_id) return;
    for (const item of report.items) this.#takeItem(item);
    this.#acknowledging = this.#place
      .acknowledge({ ...this.#order, to: this.taken, report: report.number })
      .catch(() => {});
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
  }

  #takeItem(item: ReportItem): void {
    if (item.range !== null) {
      if (item.range.from !== this.taken)
        throw new Error(
          `${item.kind} starts at ${item.range.from}, the one before ended at ${this.taken}`,
        );
      this.taken = item.range.to;
    }
    this.items.push(item);
  }
}
