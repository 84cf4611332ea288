/**
 * Which parts of a command line or an address may be a credential. The rule is closed and looks at the text alone; where
 * it is in doubt it hides. It is written down for people in docs/security.md: keep both the same.
 */

/** Takes a part that may be a credential, and gives what stands in its place. */
export type Hide = (part: string) => string;

/** Names whose values are hidden: of options, of `NAME=value`, of `Name: value`. Any name that contains one of these. */
const SECRET_NAME =
  /key|token|secret|pass|pwd|auth|cred|bearer|cookie|sign|private|jwt|dsn|connection/i;
/** Options whose values are `NAME=value` or `Name: value`, of which every value is hidden. */
const NAMED_VALUE_OPTION = /^(-e|--env|--build-arg|-H|--header|--headers)$/;
/** How tokens of well-known services begin. */
const KNOWN_TOKEN =
  /^((sk|pk|rk|gh[a-z]|github_pat|glpat|xox[a-z]|hf|npm|pat)[-_]|AKIA|ASIA|AIza|ya29\.|eyJ)/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i;
const SCHEME = /^(bearer|basic|token|digest)\s/i;
const OPTION = /^--?[A-Za-z][\w.-]*$/;
const PAIR = /^(-{0,2}[A-Za-z][\w.-]*(?:=|:\s+))(.+)$/s;
const ATTACHED = /^(-[A-Za-z])(.{2,})$/s;
const FLAGS = /^[a-z]{2,3}$/;
const URL = /[a-z][a-z0-9+.-]*:\/\/\S+/gi;

/** Arguments of a command, with everything hidden that may be a credential. */
export const hideInArgs = (args: readonly string[], hide: Hide): string[] =>
  args.map((arg, at) => {
    const before = args[at - 1] ?? "";
    if (isOption(before) && !isLongOption(arg)) {
      if (NAMED_VALUE_OPTION.test(before)) return hideValue(arg, hide);
      if (SECRET_NAME.test(before)) return hide(arg);
    }
    return hideInArg(arg, hide);
  });

const hideInArg = (arg: string, hide: Hide): string => {
  const [, name, value] = PAIR.exec(arg) ?? [];
  if (name !== undefined && value !== undefined)
    return name + (SECRET_NAME.test(name) ? hide(value) : hideIn(value, hide));
  const [, letter, attached] = ATTACHED.exec(arg) ?? [];
  if (letter !== undefined && attached !== undefined && !isLongOption(arg))
    return FLAGS.test(attached) ? arg : letter + hide(attached);
  return hideIn(arg, hide);
};

/** What is no pair is hidden as a whole. */
const hideValue = (arg: string, hide: Hide): string => {
  const [, name, value] = /^([^=:\s]+(?:=|:\s*))(.+)$/s.exec(arg) ?? [];
  return name === undefined || value === undefined
    ? hide(arg)
    : name + hide(value);
};

const hideIn = (text: string, hide: Hide): string => {
  // Documents, keys and scripts: what is secret in them is not looked for.
  if (/^[{[]/.test(text) || text.includes("-----BEGIN")) return hide(text);
  if (/\s/.test(text) && SECRET_NAME.test(text)) return hide(text);
  if (text.includes("://"))
    return text.replace(URL, (url) => hideInUrl(url, hide));
  return looksLikeCredential(text) ? hide(text) : text;
};

/** An address: who asks, every value of the query, the fragment, and parts of the path that look like a credential. */
export const hideInUrl = (url: string, hide: Hide): string => {
  const [, scheme = "", user, host = "", path = "", query, fragment] =
    /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(
      url,
    ) ?? [];
  if (scheme === "") return hide(url);
  const parts = path
    .split("/")
    .map((part) => (looksLikeCredential(part) ? hide(part) : part));
  return [
    scheme,
    ...(user === undefined ? [] : [hide(user), "@"]),
    host,
    parts.join("/"),
    ...(query === undefined ? [] : ["?", hideInQuery(query, hide)]),
    ...(fragment === undefined ? [] : ["#", hide(fragment)]),
  ].join("");
};

/** Something without a name is all value. */
const hideInQuery = (query: string, hide: Hide): string =>
  query
    .split("&")
    .map((pair) => {
      const [, name, value] = /^([^=]*=)(.*)$/s.exec(pair) ?? [];
      if (name === undefined || value === undefined)
        return pair === "" ? "" : hide(pair);
      return value === "" ? pair : name + hide(value);
    })
    .join("&");

const isOption = (text: string): boolean => OPTION.test(text);

const isLongOption = (text: string): boolean =>
  text.startsWith("--") && isOption(text);

const PATH = /^(\/|\.{1,2}\/|~|@)/;

/** A path or a package is one unless a part of it could hardly be a name. */
const looksLikeCredential = (text: string): boolean => {
  if (KNOWN_TOKEN.test(text) || SCHEME.test(text) || UUID.test(text))
    return true;
  const [mixed, any] = PATH.test(text) ? [20, 40] : [10, 24];
  return text
    .split(/[^A-Za-z0-9]+/)
    .some(
      (part) => part.length >= any || (part.length >= mixed && isMixed(part)),
    );
};

const isMixed = (text: string): boolean =>
  /[A-Za-z]/.test(text) && /\d/.test(text);
