/** Which lines stay, go and come when one list becomes another: the shortest way, found by Myers' greedy search. */
export interface Edit {
  kind: "same" | "removed" | "added";
  line: string;
}

/** With their newlines, so that a last line without one differs from the same line with one. */
export const linesOf = (text: string): string[] =>
  text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/**
 * A way that needs more than `most` edits is not searched for: then what differs is replaced as a whole. The search
 * costs memory with the square of it.
 */
export const lineDiff = (
  old: readonly string[],
  now: readonly string[],
  most = 2000,
): Edit[] => {
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail += 1;
  const before = old.slice(head, old.length - tail);
  const after = now.slice(head, now.length - tail);
  return [
    ...edits("same", old.slice(0, head)),
    ...(shortest(before, after, most) ?? [
      ...edits("removed", before),
      ...edits("added", after),
    ]),
    ...edits("same", old.slice(old.length - tail)),
  ];
};

const edits = (kind: Edit["kind"], lines: readonly string[]): Edit[] =>
  lines.map((line) => ({ kind, line }));

/**
 * In a grid of old lines across and new lines down, a step right removes, a step down adds, and a diagonal keeps.
 * Round by round one more step is spent; for every diagonal (x − y) only the furthest point reached is of interest.
 */
const shortest = (
  old: readonly string[],
  now: readonly string[],
  most: number,
): Edit[] | null => {
  const rounds: Int32Array[] = [];
  const limit = Math.min(old.length + now.length, most);
  const reached = new Int32Array(2 * limit + 3);
  const at = (diagonal: number): number => diagonal + limit + 1;
  for (let spent = 0; spent <= limit; spent++) {
    rounds.push(reached.slice());
    for (let diagonal = -spent; diagonal <= spent; diagonal += 2) {
      const down = comesDown(reached, at(diagonal), diagonal, spent);
      let x = down
        ? (reached[at(diagonal + 1)] ?? 0)
        : (reached[at(diagonal - 1)] ?? 0) + 1;
      while (x < old.length && x - diagonal < now.length) {
        if (old[x] !== now[x - diagonal]) break;
        x += 1;
      }
      reached[at(diagonal)] = x;
      if (x >= old.length && x - diagonal >= now.length)
        return wayBack(old, now, rounds, at);
    }
  }
  return null;
};

/** Whether the best way to a diagonal adds a line, rather than removing one. */
const comesDown = (
  reached: Int32Array,
  at: number,
  diagonal: number,
  spent: number,
): boolean =>
  diagonal === -spent ||
  (diagonal !== spent && (reached[at - 1] ?? 0) < (reached[at + 1] ?? 0));

/** From the end to the beginning through what was reached in each round. */
const wayBack = (
  old: readonly string[],
  now: readonly string[],
  rounds: readonly Int32Array[],
  at: (diagonal: number) => number,
): Edit[] => {
  const backwards: Edit[] = [];
  let x = old.length;
  let y = now.length;
  for (let spent = rounds.length - 1; spent >= 0; spent--) {
    const reached = rounds[spent] ?? new Int32Array();
    const diagonal = x - y;
    const down = comesDown(reached, at(diagonal), diagonal, spent);
    const from = down ? diagonal + 1 : diagonal - 1;
    const fromX = spent === 0 ? 0 : (reached[at(from)] ?? 0);
    const fromY = spent === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      backwards.push({ kind: "same", line: old[x] ?? "" });
    }
    if (spent === 0) break;
    backwards.push(
      down
        ? { kind: "added", line: now[fromY] ?? "" }
        : { kind: "removed", line: old[fromX] ?? "" },
    );
    x = fromX;
    y = fromY;
  }
  return backwards.toReversed();
};
