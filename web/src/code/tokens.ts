/** A line of code in pieces. Their colours are those of the page's tokens, by class: no style is written into the document. */
export type TokenKind =
  "keyword" | "string" | "number" | "comment" | "function" | "plain";

export interface CodeToken {
  kind: TokenKind;
  text: string;
}

export interface CodeRequest {
  text: string;
  language: string;
}

/** Null where the language is not known. */
export type CodeAnswer = readonly (readonly CodeToken[])[] | null;

/** Longer texts, and texts with longer lines, stay plain. */
const MAX_COLOURED = 64 * 1024;
const MAX_LINE = 2_000;

/** The name by which a grammar is loaded; null where there is none, or the text is too long. */
export const grammarOf = ({ text, language }: CodeRequest): string | null => {
  if (text.length > MAX_COLOURED) return null;
  const [word = ""] = language
    .trim()
    .toLowerCase()
    .split(/[\s,{]/);
  const grammar = aliases[word] ?? null;
  if (grammar === null) return null;
  return text.split("\n").some(({ length }) => length > MAX_LINE)
    ? null
    : grammar;
};

/** By the end of a file's name. */
export const languageOfPath = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "Dockerfile") return "dockerfile";
  return name.slice(name.lastIndexOf(".") + 1);
};

const aliases: Readonly<Record<string, string>> = {
  ts: "typescript",
  typescript: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "javascript",
  javascript: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "tsx",
  json: "json",
  jsonc: "json",
  sh: "shellscript",
  bash: "shellscript",
  zsh: "shellscript",
  shell: "shellscript",
  console: "shellscript",
  py: "python",
  python: "python",
  go: "go",
  rs: "rust",
  rust: "rust",
  java: "java",
  c: "c",
  h: "c",
  css: "css",
  html: "html",
  yaml: "yaml",
  yml: "yaml",
  sql: "sql",
  toml: "toml",
  dockerfile: "docker",
  docker: "docker",
  diff: "diff",
  patch: "diff",
};
