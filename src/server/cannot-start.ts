/** Why the server cannot start, in words for the person who started it. No answer to a request, so it has no problem code. */
export class CannotStart extends Error {
  constructor(words: string, options?: { cause: unknown }) {
    super(words, options);
    this.name = "CannotStart";
  }
}
