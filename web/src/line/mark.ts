/** The marks that are drawn. */
export type { Changes } from "../../../src/contract/session/changes.ts";
export type {
  Mark,
  SmallMark,
  TurnMark,
} from "../../../src/contract/session/line.ts";
