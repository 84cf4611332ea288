import * as z from "zod";

const Frame = z.object({
  id: z.number().nullish(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  report: z
    .object({
      execution_id: z.string(),
      number: z.number(),
      items: z.array(z.record(z.string(), z.unknown())),
    })
    .optional(),
});
export type Frame = z.infer<typeof Frame>;

const TEXT = 0x81;

/** The link's messages in what was written to a socket at once; none when it is something else. */
export const framesIn = (bytes: Buffer): Frame[] => {
  const frames: Frame[] = [];
  let at = 0;
  while (bytes[at] === TEXT) {
    const { payload, end } = frameAt(bytes, at);
    const frame = parse(payload);
    if (frame === null) break;
    frames.push(frame);
    at = end;
  }
  return frames;
};

const frameAt = (
  bytes: Buffer,
  at: number,
): { payload: Buffer; end: number } => {
  const second = bytes[at + 1] ?? 0;
  const short = second & 0x7f;
  const [length, head] =
    short < 126
      ? [short, 2]
      : short === 126
        ? [bytes.readUInt16BE(at + 2), 4]
        : [Number(bytes.readBigUInt64BE(at + 2)), 10];
  const isMasked = (second & 0x80) !== 0;
  const from = at + head + (isMasked ? 4 : 0);
  const payload = Buffer.from(bytes.subarray(from, from + length));
  if (isMasked)
    for (let i = 0; i < payload.length; i += 1)
      payload[i] = (payload[i] ?? 0) ^ (bytes[at + head + (i % 4)] ?? 0);
  return { payload, end: from + length };
};

const parse = (payload: Buffer): Frame | null => {
  try {
    return Frame.parse(JSON.parse(payload.toString()));
  } catch {
    return null;
  }
};
