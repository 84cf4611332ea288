/** Many paths held against many others: each costs as much as it has parts, however many there are. */
import { pathsAbove } from "../../../checkpoint/format/byte-string.ts";

/** At one of these paths, or beneath it. */
export const isAmong = (paths: Iterable<string>) => {
  const among = new Set(paths);
  return (path: string): boolean => upwards(path).some((at) => among.has(at));
};

/** One of these paths, or a directory that one of them is in. */
export const isAbove = (paths: Iterable<string>) => {
  const above = new Set([...paths].flatMap(upwards));
  return (path: string): boolean => above.has(path);
};

/** The path itself first, the root last. */
export const upwards = (path: string): string[] => [path, ...pathsAbove(path)];
