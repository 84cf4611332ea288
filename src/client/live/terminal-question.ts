/**
 * Which escape sequences ask the terminal something that it answers by typing. agentctl answers for the terminal of a shell
 * (SHL-18): a terminal that somebody looks at must not see them. Texts are what stands between the beginning of a sequence and
 * its end, one character for each byte.
 */
export type SequenceKind = "escape" | "csi" | "osc" | "dcs" | "apc" | "other";

export const isQuestion = (kind: SequenceKind, text: string): boolean => {
  switch (kind) {
    case "escape":
      // DECID.
      return text === "Z";
    case "csi":
      return isCsiQuestion(text);
    case "osc":
      return isOscQuestion(text);
    case "dcs":
      // DECRQSS and XTGETTCAP, and what tmux hands on to the terminal around it.
      return /^(?:[\d;]*(?:\$q|\+q)|tmux;)/.test(text);
    case "apc":
      // kitty answers whatever is done with its pictures.
      return text.startsWith("G");
    case "other":
      return false;
  }
};

/** Whether a sequence that is too long to be held begins like one that may ask. */
export const mayBeQuestion = (kind: SequenceKind, text: string): boolean =>
  kind === "csi" ||
  isQuestion(kind, text) ||
  (kind === "osc" && /^(?:4|5|1\d|21);/.test(text));

/** By the marks before and behind the numbers, and the last character. */
const CSI_QUESTIONS: readonly string[] =
  "c >c =c n ?n x >q ?u ?m ?g ?S $p ?$p $u &u $w *y +x '| #R #|".split(" ");

/** Reports of the window's place, size and title, among orders to it. */
const WINDOW_REPORTS: readonly string[] = "11 13 14 15 16 18 19 20 21".split(
  " ",
);

const isCsiQuestion = (text: string): boolean => {
  const parts = /^([<=>?]?)([\d;:]*)([ -/]*)([@-~])$/.exec(text);
  if (parts === null) return false;
  const [, before = "", numbers = "", between = "", last = ""] = parts;
  const shape = before + between + last;
  if (shape === "t")
    return WINDOW_REPORTS.includes(
      (numbers.split(";")[0] ?? "").replace(/^0+(?=\d)/, ""),
    );
  return CSI_QUESTIONS.includes(shape);
};

const isOscQuestion = (text: string): boolean => {
  const [, code = "", rest = ""] = /^0*(\d+);([^]*)$/.exec(text) ?? [];
  switch (code) {
    case "1337":
      return /^(?:Report|Request|Capabilities)/.test(rest);
    case "4":
    case "5":
    case "21":
    case "22":
    case "50":
    case "52":
    case "99":
      return /(?:^|[;:=])\?/.test(rest);
    default:
      return /^1\d$/.test(code) && /(?:^|;)\?/.test(rest);
  }
};
