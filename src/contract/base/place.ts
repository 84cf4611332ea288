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

/** The place of a key; null when it is none. */
export const placeOfKey = (key: string): PlaceRef | null => {
  const at = key.indexOf("/");
  const parts = { kind: key.slice(0, Math.max(at, 0)), id: key.slice(at + 1) };
  return PlaceRef.safeParse(parts).data ?? null;
};

export const isSamePlace = (a: PlaceRef, b: PlaceRef): boolean =>
  a.kind === b.kind && a.id === b.id;

/** A directory of a place: the same path at another place is another directory. */
export interface Directory {
  place: PlaceRef;
  path: string;
}
