import { type Question, reply } from "../kit/worker-client.ts";
import { CodeHighlighter } from "./highlight.ts";
import type { CodeRequest } from "./tokens.ts";

const highlighter = new CodeHighlighter();
addEventListener("message", ({ data }: MessageEvent<Question<CodeRequest>>) =>
  reply(data.id, highlighter.highlight(data.request)),
);
