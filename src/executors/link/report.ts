import * as z from "zod";
import { ExecutionId } from "../../contract/base/id.ts";
import { LinkReport } from "../../contract/link/link.ts";
import { ByteRange, ReportItem } from "../../contract/link/report.ts";

export type Report = LinkReport["report"];

/**
 * A report, also of an agentctl that is newer than we are. Words of a kind we do not know are kept with their bytes, so
 * that no gap comes to be; facts of such a kind are passed over. What we should know and cannot read throws.
 */
export const parseReport = (raw: unknown): Report => {
  const { report } = Envelope.parse(raw);
  return { ...report, items: report.items.flatMap(parseItem) };
};

const Envelope = LinkReport.extend({
  report: LinkReport.shape.report.extend({ items: z.array(z.unknown()) }),
});

const parseItem = (raw: unknown): ReportItem[] => {
  const item = ReportItem.safeParse(raw);
  if (item.success) return [item.data];
  const words = Words.safeParse(raw).data;
  if (words) return [{ kind: "unknown", range: words.range, update: raw }];
  if (Known.safeParse(raw).success) throw item.error;
  return [];
};

const Words = z.object({ range: ByteRange });

const Known = z.object({
  kind: z.enum(ReportItem.options.map(({ shape }) => shape.kind.value)),
});

/**
 * A schema is compiled by its first use, which takes many times as long as all later ones. This is that first use, for
 * what comes first after a restart: while nobody waits for it.
 */
export const warmUp = (): void => {
  parseReport(FIRST);
};

const FIRST = {
  report: {
    execution_id: ExecutionId.parse(`exe_${"0".repeat(26)}`),
    epoch: 0,
    number: 0,
    items: [
      {
        kind: "ready",
        range: { from: 0, to: 0 },
        native_session_id: null,
        abilities: {
          resume: false,
          load: false,
          close: false,
          injection: false,
          images: false,
        },
        agent_info: null,
        opened: "new",
        verified: false,
        failed: null,
      },
      { kind: "transcript", range: null, bytes: 0, sha256: "" },
      { kind: "text", range: { from: 0, to: 0 }, role: "agent", text: "" },
    ],
  },
} satisfies LinkReport;
