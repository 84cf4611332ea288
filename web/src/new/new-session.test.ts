import assert from "node:assert/strict";
import { test } from "node:test";
import { CreateSessionRequest } from "../../../src/contract/api/request.ts";
import type { AgentView } from "../../../src/contract/agent/agent.ts";
import { RepriseError } from "../../../src/contract/problem/problem.ts";
import { textAttachment } from "../dock/attachments.ts";
import { MemoryStorage } from "../fixtures/memory-shelf.ts";
import { aSession, sessionId } from "../fixtures/samples.ts";
import { shelfOf } from "../store/storage.ts";
import {
  directoryFault,
  EMPTY_FORM,
  type Form,
  requestOf,
  wholePath,
} from "./form.ts";
import { directoryOffers } from "./directory-offers.ts";
import { NewDraft } from "./new-draft.ts";
import { refusalOf } from "./refusal.ts";
import { restSentence } from "./sentence.ts";
import {
  agentToChoose,
  offeredBefore,
  recentDirectories,
  tileOrder,
} from "./suggestions.ts";

const form = (different: Partial<Form> = {}): Form => ({
  ...EMPTY_FORM,
  agent: "demo",
  prompt: "remember colour=teal",
  ...different,
});

const draftOn = (storage: MemoryStorage) =>
  new NewDraft({
    shelf: shelfOf(() => storage),
    newKey: () => crypto.randomUUID(),
  });

test("[PAG-164] what is not chosen is not sent", () => {
  assert.deepEqual(requestOf(form()), {
    agent: "demo",
    prompt: "remember colour=teal",
  });
  assert.equal(requestOf(form({ agent: null })), null);
  assert.deepEqual(requestOf(form(), { isEmpty: true }), { agent: "demo" });
  const all = requestOf(
    form({
      directory: " /src/atlas ",
      workIn: "worktree",
      name: "n",
      model: "m",
      mode: "plan",
      permissions: "allow-read",
      onInterrupt: "continue",
      onQuota: "continue",
      checkpoints: false,
    }),
  );
  assert.deepEqual(all, {
    agent: "demo",
    worktree: "/src/atlas",
    prompt: "remember colour=teal",
    name: "n",
    model: "m",
    mode: "plan",
    permissions: "allow-read",
    on_interrupt: "continue",
    on_quota: "continue",
    checkpoints: false,
  });
  assert.ok(CreateSessionRequest.safeParse(all).success);
});

test("[PAG-163] a directory is a whole path, and ~ is the home directory of the server's user", () => {
  assert.equal(wholePath("~/src ", "/home/me"), "/home/me/src");
  assert.equal(wholePath("~", "/home/me"), "/home/me");
  assert.equal(wholePath("~you/src", "/home/me"), "~you/src");
  assert.equal(directoryFault("/src"), null);
  assert.equal(directoryFault(""), null);
  assert.match(directoryFault("src/atlas") ?? "", /whole path/);
  assert.deepEqual(
    requestOf(form({ directory: "~/src" }), { userHome: "/home/me" })?.cwd,
    "/home/me/src",
  );
});

test("[PAG-237] what is attached is sent with the prompt, and is part of what has one key", () => {
  const one = textAttachment("a", "notes.txt", "text");
  const two = textAttachment("b", "notes.txt", "text");
  const request = requestOf(form(), { attachments: [one] });
  assert.ok(request !== null);
  assert.deepEqual(request.content, [
    { type: "text", text: "remember colour=teal" },
    one.block,
  ]);
  assert.equal(request.prompt, undefined);
  const empty = requestOf(form(), { attachments: [one], isEmpty: true });
  assert.deepEqual([empty?.content, empty?.prompt], [undefined, undefined]);
  const storage = new MemoryStorage();
  const key = draftOn(storage).keyFor(request, ["a"]);
  assert.equal(draftOn(storage).keyFor(request, ["a"]), key);
  const other = requestOf(form(), { attachments: [two] });
  assert.ok(other !== null);
  assert.notEqual(draftOn(storage).keyFor(other, ["b"]), key);
});

test("[PAG-230] directories that sessions worked in are offered first, then those that the machine has", () => {
  const recent = ["/src/atlas", "/src/beta"];
  const found = { parent: "/src/", names: ["atlas", "attic"] };
  assert.deepEqual(directoryOffers("", recent, null, null), [
    { path: "/src/atlas", isRecent: true },
    { path: "/src/beta", isRecent: true },
  ]);
  assert.deepEqual(directoryOffers("/src/AT", recent, found, null), [
    { path: "/src/atlas", isRecent: true },
    { path: "/src/attic/", isRecent: false },
  ]);
  assert.deepEqual(directoryOffers("~/at", [], found, "/src"), [
    { path: "~/atlas/", isRecent: false },
    { path: "~/attic/", isRecent: false },
  ]);
  assert.deepEqual(
    directoryOffers("/src/atlas", recent, { ...found, names: [] }, null),
    [],
  );
  // An answer about what was typed before, and a home directory without a slash behind it.
  for (const typed of ["/src/atlas/", "/src/be", "/", "~"])
    assert.deepEqual(directoryOffers(typed, [], found, "/src/me"), [], typed);
  assert.equal(
    requestOf(form({ directory: "/src/attic/" }))?.cwd,
    "/src/attic",
  );
  assert.equal(requestOf(form({ directory: "/" }))?.cwd, "/");
});

test("[PAG-164] the sentence says what will be", () => {
  assert.equal(
    restSentence(form(), { checkpoints: true }),
    "Asks you what it would ask in a terminal. Waits for you when a turn is cut off. Every turn is captured.",
  );
  assert.equal(
    restSentence(
      form({
        name: "Retries",
        model: "opus",
        permissions: "allow-all",
        onInterrupt: "continue",
        checkpoints: false,
      }),
      { checkpoints: true },
    ),
    "Is called “Retries”. Model opus. Asks you nothing. Goes on by itself when a turn is cut off. Turns are not captured.",
  );
});

test("[PAG-161] the same request keeps its key until it was taken, also after the page was loaded again", () => {
  const storage = new MemoryStorage();
  const draft = draftOn(storage);
  const kept = form({ directory: "/src/atlas", name: "Retries" });
  assert.equal(draft.write(kept), true);
  const request = requestOf(kept) ?? {};
  const key = draft.keyFor(request);
  const again = draftOn(storage);
  assert.deepEqual(again.read().form, kept);
  assert.equal(again.keyFor(request), key);
  assert.notEqual(again.keyFor({ ...request, agent: "codex" }), key);
});

test("[PAG-161] what was taken leaves the choices, and the directory for the next time", () => {
  const draft = draftOn(new MemoryStorage());
  const kept = form({ directory: "/src/atlas", name: "Retries" });
  draft.write(kept);
  const request = requestOf(kept) ?? {};
  const key = draft.keyFor(request);
  draft.taken("another", kept);
  assert.deepEqual(draft.read().form, kept);
  draft.taken(key, kept);
  assert.deepEqual(draft.read(), {
    form: { ...kept, prompt: "", name: "" },
    directories: ["/src/atlas"],
  });
  const second = draft.keyFor(request);
  assert.notEqual(second, key);
  draft.write({ ...kept, prompt: "typed meanwhile" });
  draft.taken(second, kept);
  assert.equal(draft.read().form.prompt, "typed meanwhile");
});

test("[PAG-161] what another release has kept, or nobody can read, is no draft", () => {
  for (const text of ["{", '{"form":{"workIn":"elsewhere"}}', "7"]) {
    const storage = new MemoryStorage();
    storage.setItem("reprise.new", text);
    assert.deepEqual(draftOn(storage).read().form, EMPTY_FORM);
  }
  const full = new MemoryStorage(0);
  assert.equal(draftOn(full).write(form()), false);
});

const agent = (id: string, different: Partial<AgentView> = {}): AgentView => ({
  id,
  name: id,
  driver: "acp",
  installed: true,
  version: "1",
  command: [id],
  native_session_resume: true,
  history_context_injection: true,
  install: null,
  ...different,
});

test("[PAG-162] who is ready comes first, demo agents after who can be started, and the missing last", () => {
  const agents = [
    agent("auggie", { installed: false }),
    agent("gemini", { login: "no" }),
    agent("demo"),
    agent("demo-fresh"),
    agent("codex"),
  ];
  const ids = (chosen: string | null) =>
    tileOrder(agents, chosen).map(({ id }) => id);
  assert.deepEqual(ids(null), ["codex", "gemini", "demo", "auggie"]);
  assert.ok(ids("demo-fresh").includes("demo-fresh"));
});

test("[PAG-306] chosen beforehand is one that is ready, the last one where it is", () => {
  const out = agent("gemini", { login: "no" });
  const agents = [
    out,
    agent("codex"),
    agent("claude"),
    agent("demo"),
    agent("demo-fresh"),
    agent("auggie", { installed: false }),
  ];
  const last = (id: string | null) =>
    agentToChoose(agents, { chosen: null, last: id });
  const chosen = (id: string | null) =>
    agentToChoose(agents, { chosen: id, last: "claude" });
  assert.equal(last(null), "codex");
  assert.equal(last("claude"), "claude");
  assert.equal(last("demo-fresh"), "demo-fresh");
  for (const id of ["gemini", "auggie", "gone"])
    assert.equal(last(id), "codex");
  // Somebody who chooses one that is not logged in means it: nobody may know better.
  assert.equal(chosen("gemini"), "gemini");
  assert.equal(chosen("auggie"), "claude");
  const demo = [out, agent("demo"), agent("demo-fresh")];
  assert.equal(agentToChoose(demo, { chosen: null, last: null }), "demo");
  assert.equal(agentToChoose([out], { chosen: null, last: null }), "gemini");
  const missing = [agent("x", { installed: false })];
  assert.equal(agentToChoose(missing, { chosen: "x", last: "x" }), null);
});

test("[PAG-163] directories of sessions are offered, without those that were made for one", () => {
  const of = (cwd: string, worktree_path: string | null = null) =>
    aSession({ cwd, worktree_path });
  assert.deepEqual(
    recentDirectories(
      ["/src/b"],
      [
        of("/src/a"),
        of("/home/workspaces/w", "/home/workspaces/w"),
        of(`/home/workspaces/${sessionId()}`),
        of("/src/b"),
        of("/src/a"),
      ],
    ),
    ["/src/b", "/src/a"],
  );
});

test("[PAG-164] models that the same agent offered before are offered again", () => {
  const offered = {
    modes: null,
    options: [],
    models: {
      current: "a",
      available: ["a", "b"].map((id) => ({ id, name: id, description: null })),
    },
  };
  const sessions = [aSession({ agent: "codex", offered })];
  assert.equal(offeredBefore("model", "codex", sessions).length, 2);
  assert.deepEqual(offeredBefore("mode", "codex", sessions), []);
  assert.deepEqual(offeredBefore("model", "claude", sessions), []);
});

test("[PAG-165] a refusal stands beside the field that it is about", () => {
  const at = (...args: ConstructorParameters<typeof RepriseError>) =>
    refusalOf(new RepriseError(...args)).field;
  assert.equal(at("cwd_not_found", "x"), "directory");
  assert.equal(at("agent_not_installed", "x"), "agent");
  assert.equal(at("restriction_not_held", "x"), "rest");
  assert.equal(at("storage_full", "x"), null);
  assert.equal(
    at("invalid_request", "x", { issues: [{ path: "model", message: "" }] }),
    "rest",
  );
  assert.deepEqual(
    refusalOf(new RepriseError("not_a_repository", "/src is none.")),
    { field: "directory", text: "/src is none.", isNoRepository: true },
  );
});
