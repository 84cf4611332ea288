/** A body with less than 20,000 bytes. What is too long in it is cut, the longest texts and lists first. */

const MAX_BYTES = 20_000;
/** Texts have at most so many characters, and lists so many entries: the first that fits. */
const LIMITS = [8000, 4000, 2000, 1000, 500, 200, 100, 40, 10, 3];

export const fittingBody = (
  type: string,
  timestamp: string,
  data: Readonly<Record<string, unknown>>,
): string => {
  const whole = JSON.stringify({ type, timestamp, data });
  if (isShort(whole)) return whole;
  for (const limit of LIMITS) {
    const cut = JSON.stringify({
      type,
      timestamp,
      data: { ...cutRecord(data, limit), truncated: true },
    });
    if (isShort(cut)) return cut;
  }
  const { session_id, task_id, seq } = data;
  return JSON.stringify({
    type,
    timestamp,
    data: { session_id, task_id, seq, truncated: true },
  });
};

const isShort = (text: string): boolean =>
  new TextEncoder().encode(text).length < MAX_BYTES;

const cut = (value: unknown, limit: number): unknown => {
  if (typeof value === "string") return cutText(value, limit);
  if (Array.isArray(value))
    return value.slice(0, limit).map((each) => cut(each, limit));
  return typeof value === "object" && value !== null
    ? cutRecord(value, limit)
    : value;
};

const cutRecord = (record: object, limit: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, cut(value, limit)]),
  );

/** Ids and words of the contract are shorter than the shortest that is cut. */
const SHORTEST = 64;

const cutText = (text: string, limit: number): string => {
  const most = Math.max(limit, SHORTEST);
  return text.length <= most
    ? text
    : `${text.slice(0, most - 1).toWellFormed()}…`;
};
