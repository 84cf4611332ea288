/** One request, answered in time or not. Its outcome names neither the address nor what was sent. */
import type { Outcome } from "../channel.ts";

export interface PostParts {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
  signal: AbortSignal;
}

export const post = async ({
  url,
  headers,
  body,
  timeoutMs,
  signal,
}: PostParts): Promise<Outcome> => {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      // Where it would lead to, nobody has configured.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    // Nobody reads it.
    response.body?.cancel().catch(() => undefined);
    return outcomeOf(response);
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "failed", status: null, error: wordsOf(error, timeoutMs) };
  }
};

const outcomeOf = ({ ok, status, headers }: Response): Outcome => {
  if (ok) return { kind: "delivered", status };
  if (status === 410) return { kind: "gone", status };
  const pause = retryAfterMs(headers.get("retry-after"));
  return {
    kind: "failed",
    status,
    error:
      status >= 300 && status < 400
        ? `the answer was a redirect (${status}), which is not followed`
        : `the answer was ${status}`,
    ...(pause === null ? {} : { retryAfterMs: pause }),
  };
};

/** Seconds, or a time. */
export const retryAfterMs = (header: string | null): number | null => {
  if (header === null) return null;
  const ms = /^\d+$/.test(header)
    ? Number(header) * 1000
    : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
};

const wordsOf = (error: unknown, timeoutMs: number): string => {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `no answer came within ${timeoutMs / 1000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code =
    typeof cause === "object" && cause !== null && "code" in cause
      ? String(cause.code)
      : null;
  return code === null
    ? "the request could not be made"
    : (known[code] ?? `the request failed (${code})`);
};

const known: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens there (ECONNREFUSED)",
  ENOTFOUND: "the name of the host is unknown (ENOTFOUND)",
  EAI_AGAIN: "the name of the host could not be looked up (EAI_AGAIN)",
  ECONNRESET: "the connection broke off (ECONNRESET)",
  UND_ERR_SOCKET: "the connection broke off",
};
