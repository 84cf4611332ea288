/** A text in one line: its first line, or its newest one while it grows. Marks of emphasis and headings are left out. */
export const firstLine = (
  text: string,
  { isLive }: { isLive: boolean },
): string => {
  const lines = text
    .slice(isLive ? -2_000 : 0, isLive ? undefined : 2_000)
    .split("\n")
    .map((line) => line.replaceAll(/[*_`#>]+/g, "").trim())
    .filter((line) => line !== "");
  return (isLive ? lines.at(-1) : lines[0]) ?? "…";
};
