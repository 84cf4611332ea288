import * as z from "zod";

/** Where an agentctl lives: the kind of executor that reaches it, and which place of that kind it is. */
export const PlaceRef = z.object({
  kind: z.string().regex(/^[a-z-]{1,100}$/),
  id: z.string().min(1).max(200),
});
export type PlaceRef = z.infer<typeof PlaceRef>;

/** The machine that the server runs on. Journals of releases that did not name a place mean this one. */
export const LOCAL: Readonly<PlaceRef> = { kind: "standalone", id: "local" };

/** Names a place among all places. A kind holds no slash. */
export const placeKey = ({ kind, id }: PlaceRef): string => `${kind}/${id}`;
