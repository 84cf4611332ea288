import type { RawData } from "ws";

/** The text of a frame. */
export const textOfFrame = (data: RawData): string => {
  if (Buffer.isBuffer(data)) return data.toString("utf8");
  return Array.isArray(data)
    ? Buffer.concat(data).toString("utf8")
    : Buffer.from(data).toString("utf8");
};
