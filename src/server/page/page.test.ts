import assert from "node:assert/strict";
import { test } from "node:test";
import { FirstView } from "../../contract/api/first-view.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { pageAddresses } from "../door/open-addresses.ts";
import { makeFakePage, SCRIPT } from "../fixtures/fake-page.ts";
import { createFakeSite, HOST, TOKEN } from "../fixtures/fake-site.ts";
import type { Operations } from "../ask/operations.ts";

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const bearer = { authorization: `Bearer ${TOKEN}` };

const paths = pageAddresses.map((address) =>
  address.replaceAll(/:\w+/g, "x").replace("*", "src/a.ts"),
);

const siteWithPage = async (instead: Partial<Operations> = {}) => {
  const built = await makeFakePage();
  const site = createFakeSite(instead, built.page);
  return {
    ...site,
    look: (path: string, headers: Record<string, string> = {}) =>
      site.app.request(path, { headers: { host: HOST, ...html, ...headers } }),
    [Symbol.asyncDispose]: () => built[Symbol.asyncDispose](),
  };
};

const viewIn = (document: string): FirstView =>
  FirstView.parse(
    JSON.parse(
      /id="first-view"[^>]*>([\s\S]*?)<\/script>/.exec(document)?.[1] ?? "",
    ),
  );

test("[PAG-1] every address of the page answers with the document, also to HEAD", async () => {
  await using site = await siteWithPage();
  for (const path of paths) {
    const answer = await site.look(path);
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(await answer.text(), /^<!doctype html>/);
    const head = await site.app.request(path, {
      method: "HEAD",
      headers: { host: HOST, ...html },
    });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
  }
  assert.equal((await site.look("/nowhere")).status, 401);
  assert.equal((await site.look("/s/x/nowhere", bearer)).status, 404);
  assert.equal((await site.look("/s/", bearer)).status, 404);
});

test("[PAG-1] a program gets plain text that says what to do, and so does everybody where no page is built", async () => {
  await using site = await siteWithPage();
  const unbuilt = createFakeSite();
  for (const answer of [
    await site.look("/", { accept: "*/*" }),
    await unbuilt.ask("/", { headers: html }),
    await unbuilt.ask("/s/x", { headers: html }),
  ]) {
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/);
    assert.match(await answer.text(), /reprise session start/);
  }
});

test("[PAG-2] the first view of Home has its lists and the cursor that was read before them", async () => {
  const order: string[] = [];
  await using site = await siteWithPage({
    async *followHome() {
      order.push("cursor");
      yield [{ seq: 42, type: "stream.opened" }];
    },
    listTasks: async () => {
      order.push("tasks");
      return { tasks: [], next: null };
    },
  });
  const { id } = site.house.addSession();
  const view = viewIn(await (await site.look("/", bearer)).text());
  assert.equal(view.version, "1.2.3");
  assert.equal(view.home?.seq, 42);
  assert.deepEqual(
    view.home.sessions.sessions.map((session) => session.id),
    [id],
  );
  assert.deepEqual(order, ["cursor", "tasks"]);
  assert.equal(view.session, null);
});

test("[PAG-2] the first view of a session has it, its status and its newest messages", async () => {
  await using site = await siteWithPage();
  const { id } = site.house.addSession();
  for (const path of [`/s/${id}`, `/s/${id}/changes`]) {
    const { session } = viewIn(await (await site.look(path, bearer)).text());
    assert.equal(session?.session.id, id);
    assert.notEqual(session.status, null);
    assert.ok(Array.isArray(session.window.messages));
  }
});

test("[PAG-2] what cannot be read is left out, and a slow status is not waited for", async () => {
  await using site = await siteWithPage({
    sessionStatus: () => new Promise(() => {}),
    showWindow: async () => {
      throw new RepriseError("session_damaged", "It is damaged.");
    },
  });
  const { id } = site.house.addSession();
  const damaged = viewIn(await (await site.look(`/s/${id}`, bearer)).text());
  assert.equal(damaged.session, null);
  assert.notEqual(damaged.home, null);
  const other = viewIn(await (await site.look("/s/ses_no", bearer)).text());
  assert.equal(other.session, null);

  await using slow = await siteWithPage({
    sessionStatus: () => new Promise(() => {}),
  });
  const waiting = slow.house.addSession();
  const view = viewIn(
    await (await slow.look(`/s/${waiting.id}`, bearer)).text(),
  );
  assert.equal(view.session?.session.id, waiting.id);
  assert.equal(view.session.status, null);
});

test("[PAG-3] without the token the document tells nothing of the home", async () => {
  await using site = await siteWithPage();
  const { id } = site.house.addSession();
  for (const headers of [
    {},
    { cookie: "reprise_token=wrong" },
    { authorization: "Bearer wrong" },
  ]) {
    const document = await (await site.look(`/s/${id}`, headers)).text();
    assert.deepEqual(viewIn(document), {
      version: "1.2.3",
      home: null,
      session: null,
    });
    assert.ok(!document.includes(id));
  }
  assert.equal(site.house.openFeeds, 0);
});

test("[PAG-4] hostile text stays text in its element", async () => {
  const hostile = `</script><script>alert(1)</script><!-- \u2028 __NONCE__ id="first-view">null $& $1`;
  await using site = await siteWithPage({
    listTasks: async () => ({ tasks: [], next: hostile }),
  });
  const answer = await site.look("/", bearer);
  const document = await answer.text();
  assert.equal(document.match(/<\/script>/g)?.length, 2);
  assert.doesNotMatch(document, /<script>|<!--|\u2028/);
  assert.equal(viewIn(document).home?.tasks.next, hostile);
});

test("[PAG-5] each answer has its own nonce, in its policy and in the document", async () => {
  await using site = await siteWithPage();
  const nonces = new Set<string>();
  for (const path of ["/", "/settings"]) {
    const answer = await site.look(path);
    const policy = answer.headers.get("content-security-policy") ?? "";
    const nonce = /'nonce-([A-Za-z0-9+/=]{22,})'/.exec(policy)?.[1] ?? "";
    assert.equal(
      policy,
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    const document = await answer.text();
    assert.ok(document.includes(`nonce="${nonce}"`));
    assert.doesNotMatch(document, /__NONCE__/);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(
      answer.headers.get("cross-origin-opener-policy"),
      "same-origin",
    );
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 2);
});

test("[PAG-6] files of the page are compressed where that is taken, and may be kept", async () => {
  await using site = await siteWithPage();
  const path = "/assets/page-a1b2c3.js";
  const plain = await site.look(path);
  assert.equal(
    plain.headers.get("content-type"),
    "text/javascript; charset=utf-8",
  );
  assert.equal(
    plain.headers.get("cache-control"),
    "public, max-age=31536000, immutable",
  );
  assert.equal(plain.headers.get("content-encoding"), null);
  assert.equal(
    plain.headers.get("content-security-policy"),
    "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
  );
  assert.equal(await plain.text(), SCRIPT);
  const etag = plain.headers.get("etag") ?? "";
  const known = await site.look(path, { "if-none-match": etag });
  assert.equal(known.status, 304);
  for (const [accepted, encoding] of [
    ["gzip, deflate, br", "gzip"],
    ["gzip;q=0, br", null],
    ["identity", null],
  ] as const) {
    const answer = await site.look(path, { "accept-encoding": accepted });
    assert.equal(answer.headers.get("content-encoding"), encoding, accepted);
    assert.equal(answer.headers.get("vary"), "accept-encoding");
  }
  const style = await site.look("/assets/page-d4e5f6.css");
  assert.equal(style.headers.get("content-type"), "text/css; charset=utf-8");
  const icon = await site.look("/favicon.svg");
  assert.equal(icon.headers.get("cache-control"), "no-cache");
});

test("[PAG-6] no address becomes a path", async () => {
  await using site = await siteWithPage();
  for (const path of [
    "/assets/../secret.txt",
    "/assets/..%2fsecret.txt",
    "/assets/%2e%2e/index.html",
    "/assets//etc/passwd",
    "/assets/page-a1b2c3.js.gz",
    "/assets/",
    "/secret.txt",
    "/index.html",
  ]) {
    const answer = await site.look(path, bearer);
    assert.equal(answer.status, 404, path);
  }
});
