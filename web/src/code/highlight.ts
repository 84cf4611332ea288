/** Colours code with shiki. It runs in a worker: a grammar takes tens of milliseconds to load and a long text as long to read. */
import { createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import {
  type CodeAnswer,
  type CodeRequest,
  grammarOf,
  type TokenKind,
} from "./tokens.ts";

type Highlighter = Awaited<ReturnType<typeof createHighlighterCore>>;

/** The same grammars as in `aliases`, each loaded when it is first needed. */
const grammars = {
  typescript: () => import("@shikijs/langs/typescript"),
  tsx: () => import("@shikijs/langs/tsx"),
  javascript: () => import("@shikijs/langs/javascript"),
  json: () => import("@shikijs/langs/json"),
  shellscript: () => import("@shikijs/langs/shellscript"),
  python: () => import("@shikijs/langs/python"),
  go: () => import("@shikijs/langs/go"),
  rust: () => import("@shikijs/langs/rust"),
  java: () => import("@shikijs/langs/java"),
  c: () => import("@shikijs/langs/c"),
  css: () => import("@shikijs/langs/css"),
  html: () => import("@shikijs/langs/html"),
  yaml: () => import("@shikijs/langs/yaml"),
  sql: () => import("@shikijs/langs/sql"),
  toml: () => import("@shikijs/langs/toml"),
  docker: () => import("@shikijs/langs/docker"),
  diff: () => import("@shikijs/langs/diff"),
};

const isGrammar = (name: string | null): name is keyof typeof grammars =>
  name !== null && name in grammars;

export class CodeHighlighter {
  #highlighter: Promise<Highlighter> | null = null;

  async highlight(request: CodeRequest): Promise<CodeAnswer> {
    const grammar = grammarOf(request);
    if (!isGrammar(grammar)) return null;
    this.#highlighter ??= createHighlighterCore({
      themes: [theme],
      engine: createJavaScriptRegexEngine({ forgiving: true }),
    });
    const highlighter = await this.#highlighter;
    await highlighter.loadLanguage(grammars[grammar]());
    return highlighter
      .codeToTokensBase(request.text, {
        lang: grammar,
        theme: theme.name,
        // Per line. The first one compiles the grammar; beyond it the rest of a line has one colour.
        tokenizeTimeLimit: 5_000,
      })
      .map((line) =>
        line.map(({ content, color }) => ({
          kind: kinds[color?.toLowerCase() ?? ""] ?? "plain",
          text: content,
        })),
      );
  }
}

/** The theme's colours are names of our own: each stands for a class. */
const kinds: Readonly<Record<string, TokenKind>> = {
  "#000001": "keyword",
  "#000002": "string",
  "#000003": "number",
  "#000004": "comment",
  "#000005": "function",
};

const theme = {
  name: "reprise",
  type: "light" as const,
  fg: "#000000",
  bg: "#ffffff",
  settings: [
    {
      scope: [
        "keyword",
        "storage",
        "punctuation.definition.template-expression",
        "entity.name.tag",
        "markup.deleted",
      ],
      settings: { foreground: "#000001" },
    },
    {
      scope: ["string", "markup.inserted", "constant.character.escape"],
      settings: { foreground: "#000002" },
    },
    {
      scope: [
        "constant.numeric",
        "constant.language",
        "support.type.primitive",
        "support.type.builtin",
        "entity.other.attribute-name",
        "support.type.property-name.json",
        "entity.name.tag.yaml",
      ],
      settings: { foreground: "#000003" },
    },
    {
      scope: ["comment", "punctuation.definition.comment", "meta.diff.header"],
      settings: { foreground: "#000004" },
    },
    {
      scope: ["entity.name.function", "support.function", "meta.diff.range"],
      settings: { foreground: "#000005" },
    },
    {
      scope: ["keyword.operator", "keyword.operator.assignment"],
      settings: { foreground: "#000000" },
    },
  ],
};
