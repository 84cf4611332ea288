import { serveWorker } from "../kit/worker-client.ts";
import { CodeHighlighter } from "./highlight.ts";
import type { CodeAnswer, CodeRequest } from "./tokens.ts";

const highlighter = new CodeHighlighter();
serveWorker<CodeRequest, CodeAnswer>((request) =>
  highlighter.highlight(request),
);
