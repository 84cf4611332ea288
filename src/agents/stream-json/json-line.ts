/** What a line holds, or undefined when it is no JSON. */
export const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};
