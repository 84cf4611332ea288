/** JSON of which nothing is known, as migrations and checksums of older databases read it. */

/** Null where it is no JSON. */
export const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
};

/** What lies there; undefined where nothing does. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (each, name) =>
      typeof each === "object" && each !== null
        ? Object.getOwnPropertyDescriptor(each, name)?.value
        : undefined,
    value,
  );
