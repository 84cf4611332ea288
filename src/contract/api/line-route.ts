import { LineAnswer } from "../session/line.ts";

export const lineRoutes = {
  showLine: {
    method: "GET",
    path: "/api/sessions/:id/line",
    summary:
      "What a session went through, in marks: turns, breaks, rests, rewinds, and what its agent remembers",
    status: 200,
    answer: LineAnswer,
  },
} as const;
