import type { PlaceRef } from "../../contract/base/place.ts";

/** What this server may write, and by which term. */
export interface Ownership {
  /** Of what belongs to no place: tasks, answers to keys. */
  readonly term: number;
  /** Whether that term is also the one of every place, so that none has to be claimed. */
  readonly coversPlaces: boolean;
  /** Takes a place, and says by which term; refused with `superseded` where another server has it. */
  claim(place: PlaceRef): Promise<number>;
  /** Gives it back: others may claim it at once. */
  release(place: PlaceRef): Promise<void>;
  /** Whether another server has taken over everything, not one place alone. */
  isLost(): Promise<boolean>;
}
