import { isAbsolute, relative } from "node:path";

/** Whether a path is the directory or lies in it. */
export const isInside = (path: string, directory: string): boolean => {
  const way = relative(directory, path);
  return way === "" || (!/^\.\.(\/|$)/.test(way) && !isAbsolute(way));
};

export const isOneInsideTheOther = (a: string, b: string): boolean =>
  isInside(a, b) || isInside(b, a);
