/** What `strace -f -y -xx` wrote, as calls in the order in which they began. */
export interface SystemCall {
  name: string;
  /** What its descriptor stands for: a path, or `socket:[…]`. For `rename` and `link` the old name. */
  path: string;
  /** The new name of `rename` and `link`. */
  to: string | null;
  /** What is written. */
  bytes: Buffer;
  /** Lines of the trace: a call that took time has its answer later. Infinity when it never came. */
  began: number;
  ended: number;
}

export const parseTrace = (text: string): SystemCall[] => {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, SystemCall>();
  for (const [index, line] of text.split("\n").entries()) {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest.startsWith("<... ")) {
      const call = unfinished.get(thread);
      unfinished.delete(thread);
      if (call !== undefined) call.ended = index;
      continue;
    }
    const [, name = "", args = ""] = /^(\w+)\((.*)$/.exec(rest) ?? [];
    if (name === "") continue;
    const call = callOf(name, args, index);
    calls.push(call);
    if (rest.endsWith("<unfinished ...>")) unfinished.set(thread, call);
    else call.ended = index;
  }
  return calls;
};

const callOf = (name: string, args: string, began: number): SystemCall => {
  const [, descriptor] = /^\d+<([^>]*)>/.exec(args) ?? [];
  const strings = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(
    ([, hex = ""]) => decode(hex),
  );
  const rest = { name, began, ended: Number.POSITIVE_INFINITY };
  if (descriptor !== undefined)
    return {
      ...rest,
      path: decode(descriptor).toString(),
      to: null,
      bytes: Buffer.concat(strings),
    };
  return {
    ...rest,
    path: strings[0]?.toString() ?? "",
    to: strings[1]?.toString() ?? null,
    bytes: Buffer.alloc(0),
  };
};

const decode = (hex: string): Buffer =>
  Buffer.from(hex.replaceAll("\\x", ""), "hex");
