/** What the agent says again and again: sentences, a list and code. */
const TEXT = `The session goes on where it was, and the line shows what happened since. Each turn leaves a capture, so what was
written can be compared with what is there now.

- the journal is written before anybody is told
- a view is made of it, and \`project()\` is the same everywhere
- **nothing** is read twice

\`\`\`ts
export const fold = (events: readonly Event[]): State =>
  events.reduce(evolve, begin());
\`\`\`

`;

/** Words with the space behind them. */
export const PIECES = TEXT.match(/\S+\s*/g) ?? [];

/** At least so many chunks: the text as often as it takes, and the last sentence. */
export const chunksOfTurn = (least: number): number =>
  Math.ceil(least / PIECES.length) * PIECES.length + 1;

export const lastSentence = (turn: number): string => `This was turn ${turn}.`;
