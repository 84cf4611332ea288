import type { Context, Hono } from "hono";
import {
  decodePath,
  encodePath,
  isPlainText,
} from "../../contract/base/path-text.ts";
import { routes } from "../../contract/api/route.ts";
import type { FileHead } from "../../contract/link/link-files.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { MAX_WRITE_BYTES } from "../../contract/base/file-limits.ts";
import type { FileContent } from "../../runtime/ports/executors.ts";
import { problemResponse } from "../answer/problem.ts";
import { render } from "../answer/render.ts";
import { query, sessionId } from "../ask/ask.ts";
import { wantedRead, wantedWrite } from "../ask/file-conditions.ts";
import type { Operations } from "../ask/operations.ts";
import { bytesOf } from "../ask/upload.ts";

/** Paths of a workspace stand at the end of the address: `…/files/src/main.ts`. */
const FILES = "/api/sessions/:id/files/*";

export const workspaceRoutes = (app: Hono, operations: Operations): void => {
  app.get(FILES, async (c) => {
    const id = sessionId(c);
    const path = pathIn(c);
    const page = query(c, routes.showFile.query);
    const list = async () =>
      render(routes.showFile, await operations.listFiles(id, path, page));
    if (path === "" || path.endsWith("/")) return list();
    const header = (name: string) => c.req.header(name);
    const wanted = wantedRead(header, c.req.method === "HEAD");
    const opened = await operations.readFile(id, path, wanted);
    return opened.head.kind === "directory"
      ? list()
      : fileResponse(path, opened, opened.head);
  });

  app.put(FILES, async (c) => {
    const id = sessionId(c);
    const path = pathIn(c);
    const wanted = wantedWrite((name) => c.req.header(name));
    if (Number(c.req.header("content-length") ?? 0) > MAX_WRITE_BYTES)
      throw new RepriseError(
        "file_too_large",
        `A file that is written here has at most ${MAX_WRITE_BYTES} bytes. Nothing was written.`,
      );
    const content = bytesOf(c.req.raw);
    const written = await operations.putFile(id, path, wanted, content);
    const answer = render(routes.putFile, written);
    answer.headers.set("etag", written.etag);
    return answer;
  });

  const { searchFiles } = routes;
  app.get(searchFiles.path, async (c) => {
    const wanted = query(c, searchFiles.query);
    const { signal } = c.req.raw;
    const id = sessionId(c);
    return render(
      searchFiles,
      await operations.searchFiles(id, wanted, signal),
    );
  });
  gitRoutes(app, operations);

  const { listDirectories } = routes;
  app.get(listDirectories.path, async (c) => {
    const wanted = query(c, listDirectories.query);
    return render(listDirectories, await operations.listDirectories(wanted));
  });
};

const gitRoutes = (app: Hono, operations: Operations): void => {
  const { showGitStatus, showGitDiff, showGitLog, showGitBranches } = routes;
  app.get(showGitStatus.path, async (c) =>
    render(showGitStatus, await operations.showGitStatus(sessionId(c))),
  );
  app.get(showGitDiff.path, async (c) => {
    const wanted = query(c, showGitDiff.query);
    return render(
      showGitDiff,
      await operations.showGitDiff(sessionId(c), wanted),
    );
  });
  app.get(showGitLog.path, async (c) => {
    const wanted = query(c, showGitLog.query);
    return render(
      showGitLog,
      await operations.showGitLog(sessionId(c), wanted),
    );
  });
  app.get(showGitBranches.path, async (c) =>
    render(showGitBranches, await operations.showGitBranches(sessionId(c))),
  );
};

const pathIn = (c: Context): string => {
  const { pathname } = new URL(c.req.url);
  const path = decodePath(/\/files\/?(.*)$/s.exec(pathname)?.[1] ?? "");
  if (path !== null) return path;
  throw new RepriseError(
    "path_invalid",
    "The path is not percent-encoded as it should be: a % is followed by two hexadecimal digits.",
  );
};

type File = Extract<FileHead, { kind: "file" }>;

const fileResponse = (
  path: string,
  opened: FileContent,
  head: File,
): Response => {
  const { etag, size, sent, start, length } = head;
  if (sent === "unsatisfiable")
    return problemResponse(
      new RepriseError(
        "range_not_satisfiable",
        `The file has ${size} bytes, and none of them is in the range that was asked for.`,
      ),
      { etag, "content-range": `bytes */${size}` },
    );
  if (sent === "unchanged")
    return new Response(null, { status: 304, headers: { etag } });
  return new Response(sent === "look" ? null : bodyOf(opened), {
    status: sent === "partial" ? 206 : 200,
    headers: {
      ...headersOf(path, head),
      "content-length": String(sent === "look" ? size : length),
      ...(sent === "partial" && {
        "content-range": `bytes ${start}-${start + length - 1}/${size}`,
      }),
    },
  });
};

/** No browser may take it for a page, whatever an agent wrote. */
const headersOf = (path: string, { etag, text, modified_at }: File) => ({
  "content-type": text
    ? "text/plain; charset=utf-8"
    : "application/octet-stream",
  "content-disposition": `attachment; filename*=UTF-8''${fileName(path)}`,
  "accept-ranges": "bytes",
  "last-modified": new Date(modified_at).toUTCString(),
  etag,
});

const fileName = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return isPlainText(name) ? encodePath(name) : "file";
};

/** Read as fast as the client takes it, let go when the client goes. */
const bodyOf = (opened: FileContent): ReadableStream<Uint8Array> => {
  const pieces = opened.content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: () => opened.close(),
  });
};
