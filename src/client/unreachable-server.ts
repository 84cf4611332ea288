/** Nobody answers at this address, or whoever does is not Reprise. */
export class ServerUnreachable extends Error {
  readonly url: string;
  constructor(url: string, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? {} : { cause });
    this.name = "ServerUnreachable";
    this.url = url;
  }
}

/** What `fetch` rejected with, for people: Node hides the interesting part in `cause`. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError && cause.errors.length > 0)
    return reasonOf(cause.errors[0]);
  return cause instanceof Error ? reasonOf(cause) : error.message;
};

const TIME_LIMITS = ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"];

/** Whether it was the time limit of Node's `fetch` that ended a request: then the server may be well. */
export const gaveUp = (error: unknown): boolean =>
  error instanceof Error &&
  (("code" in error && TIME_LIMITS.includes(String(error.code))) ||
    gaveUp(error.cause));
