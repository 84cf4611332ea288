import { RepriseError } from "../../contract/problem/problem.ts";

/**
 * Refuses text that could not reach an agent or a file unharmed: NUL ends strings elsewhere, half a surrogate pair has
 * no UTF-8, and a field called `__proto__` is left out by programs that copy an object. Looks into every string of a JSON
 * value, keys too, and without recursion, since the caller decides how deep it goes.
 */
export const refuseUnsendable = (value: unknown): void => {
  const waiting: { value: unknown; path: string }[] = [{ value, path: "" }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value === "string") refuseText(value, path);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      refuseText(key, path);
      if (key === "__proto__") throw unusableName(path);
      waiting.push({
        value: inner,
        path: path === "" ? key : `${path}.${key}`,
      });
    }
  }
};

const unusableName = (path: string): RepriseError =>
  new RepriseError(
    "invalid_request",
    "Nothing can be called __proto__; give it another name.",
    { issues: [{ path: path.slice(0, 200), message: "holds __proto__" }] },
  );

const refuseText = (text: string, path: string): void => {
  const message = text.includes("\0")
    ? "holds a NUL character"
    : text.isWellFormed()
      ? undefined
      : "holds half a surrogate pair";
  if (message === undefined) return;
  const shown = path.slice(0, 200);
  throw new RepriseError(
    "invalid_text",
    `The text of ${shown === "" ? "a name" : shown} ${message}; remove it and send again.`,
    { issues: [{ path: shown, message }] },
  );
};
