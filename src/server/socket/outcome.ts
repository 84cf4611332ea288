/** A result to answer with, and what may begin only once the answer is on its way. */
export interface Outcome {
  result: unknown;
  afterwards?: () => void;
}
