import { endpoint } from "./route-table.ts";
import { LineAnswer } from "../session/line.ts";

export const lineRoutes = {
  showLine: {
    ...endpoint("showLine"),
    summary:
      "What a session went through, in marks: turns, breaks, rests, rewinds, and what its agent remembers",
    answer: LineAnswer,
  },
} as const;
