import * as z from "zod";
import { endpoint } from "./route-table.ts";
import { SessionId } from "../base/id.ts";

/** What is stored and is not what was written, as far as anybody has looked. */
export const Damage = z.object({
  /** What is wrong with the database as a whole, in words. */
  database: z.array(z.string()),
  /** Sessions whose journal is damaged, and from which event on. */
  sessions: z.array(
    z.object({
      id: SessionId,
      name: z.string().nullable(),
      damaged_from: z.number().int(),
    }),
  ),
});
export type Damage = z.infer<typeof Damage>;

export const damageRoutes = {
  showDamage: {
    ...endpoint("showDamage"),
    summary: "What is stored and is damaged, as far as it is known",
    answer: Damage,
  },
} as const;
