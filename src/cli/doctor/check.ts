/** One thing the doctor looks at. */
export interface Finding {
  name: string;
  verdict: "ok" | "warn" | "fail";
  words: string;
  /** The command that fixes it, or tells more. */
  fix?: string;
}

export const ok = (name: string, words: string): Finding => ({
  name,
  verdict: "ok",
  words,
});

export const warn = (name: string, words: string, fix?: string): Finding => ({
  name,
  verdict: "warn",
  words,
  ...(fix === undefined ? {} : { fix }),
});

export const fail = (name: string, words: string, fix?: string): Finding => ({
  name,
  verdict: "fail",
  words,
  ...(fix === undefined ? {} : { fix }),
});
