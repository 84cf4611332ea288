/** A path in or under one directory, as it is called when that directory stands elsewhere; others stay as they are. */
export const movedPath = (path: string, from: string, to: string): string => {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path;
};
