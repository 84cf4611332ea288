/** What the rounds of one comparison took, in seconds: they are interleaved, so that all have the same weather. */
export class Times<Who extends string> {
  readonly #of = new Map<Who, number[]>();

  add(who: Who, seconds: number): void {
    this.of(who).push(seconds);
  }

  of(who: Who): number[] {
    const known = this.#of.get(who) ?? [];
    this.#of.set(who, known);
    return known;
  }
}

/** For whoever watches. Not on the standard output: that is for the report. */
export const tell = (text: string): void => {
  console.error(text);
};
