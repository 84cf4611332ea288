/** An answer at the beginning of a stream: its length in four bytes, then JSON. Other bytes may follow it. */

/** An answer is short; what claims to be longer is none. */
const MAX_ANSWER = 16 * 1024 * 1024;
const LENGTH = 4;

export const answerBytes = (answer: object): Buffer => {
  const text = Buffer.from(JSON.stringify(answer));
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
};

/** Reads the answer; the iterator then goes on with what follows it. Null where the stream ends before. */
export const readAnswer = async (
  bytes: AsyncIterator<Uint8Array>,
): Promise<{ answer: unknown; rest: Uint8Array } | null> => {
  let have = Buffer.alloc(0);
  for (;;) {
    const length = have.length < LENGTH ? null : have.readUInt32BE(0);
    if (length !== null && length > MAX_ANSWER) return null;
    if (length !== null && have.length >= LENGTH + length) {
      const text = have.toString("utf8", LENGTH, LENGTH + length);
      return { answer: jsonIn(text), rest: have.subarray(LENGTH + length) };
    }
    const next = await bytes.next();
    if (next.done === true) return null;
    have = Buffer.concat([have, next.value]);
  }
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
