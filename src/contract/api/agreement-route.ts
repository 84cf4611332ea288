/** What several callers agree on: the first one sets the value under a name, and everybody gets that one. */
import * as z from "zod";
import { endpoint } from "./route-table.ts";
import { noNul } from "./request.ts";

export const AgreementName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/,
    "consists of letters, digits, dots, dashes and underscores, 200 at most",
  );

export const AgreementRequest = z.strictObject({
  value: z.string().max(10_000).refine(noNul, "must not hold a NUL character"),
});
export type AgreementRequest = z.infer<typeof AgreementRequest>;

export const Agreement = z.object({
  name: AgreementName,
  /** What the first caller set; null where nobody has. */
  value: z.string().nullable(),
});
export type Agreement = z.infer<typeof Agreement>;

export const agreementRoutes = {
  showAgreement: {
    ...endpoint("showAgreement"),
    summary: "What was agreed on under a name",
    answer: Agreement,
  },
  agree: {
    ...endpoint("agree"),
    summary:
      "Set a value under a name unless it has one; answered with the value that it has",
    body: AgreementRequest,
    answer: Agreement,
  },
} as const;
