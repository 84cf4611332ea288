/** How somebody gets into the page, and what nobody else sees of it. */
import assert from "node:assert/strict";
import { pageTests } from "./fixtures/page-test.ts";

const test = pageTests();

test("[PAG-7] the link signs in: the address is clean, and scripts cannot read the cookie", async (stage) => {
  const context = await stage.browser();
  const page = await context.newPage();
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.goto(stage.link("/settings?a=b"));
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  const { url, token } = stage.scene.server;
  assert.equal(page.url(), `${url}/settings?a=b`);
  assert.deepEqual(
    requested.filter((each) => each.includes(token)),
    [],
  );
  assert.equal(await page.evaluate(() => document.cookie), "");
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  assert.ok(!kept.includes(token));
  const [cookie] = await context.cookies();
  assert.partialDeepStrictEqual(cookie, { httpOnly: true, sameSite: "Strict" });
  assert.notEqual(cookie?.value, token);
  // Going back does not show the token either.
  await page.goBack().catch(() => null);
  assert.ok(!page.url().includes(token));
});

test("[PAG-3] [PAG-7] without the cookie the page says how to get in, and nothing else", async (stage) => {
  const { id } = await stage.scene.client.createSession({
    agent: "demo",
    name: "a secret plan",
    cwd: stage.scene.workspace,
  });
  const { url } = stage.scene.server;
  const page = await (await stage.browser()).newPage();
  for (const path of ["/", `/s/${id}`]) {
    await page.goto(`${url}${path}`);
    await page.getByText("reprise open").waitFor();
    assert.ok(!(await page.content()).includes("a secret plan"));
  }
});

test("[PAG-7] a link with another token says so and stays outside", async (stage) => {
  const { url } = stage.scene.server;
  const page = await (await stage.browser()).newPage();
  await page.goto(`${url}/#token=${"x".repeat(43)}`);
  await page.getByRole("alert").waitFor();
  assert.equal(page.url(), `${url}/`);
  stage.forgive(/401/);
});

test("[PAG-7] signing out removes the cookie", async (stage) => {
  const page = await stage.open("/settings");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("reprise open").waitFor();
  assert.deepEqual(await page.context().cookies(), []);
  // The page may still ask for something before it is left.
  stage.forgive(/401|WebSocket/);
});

test("[PAG-2] [PAG-7] who follows a link of another site is still signed in", async (stage) => {
  const page = await stage.open();
  const { url } = stage.scene.server;
  await page.context().route("http://elsewhere.test/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<a href="${url}/settings">to the page</a>`,
    }),
  );
  await page.goto("http://elsewhere.test/");
  await page.getByRole("link").click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  stage.forgive(/elsewhere\.test/);
});

test("[PAG-8] two servers on one machine do not sign each other out", async (stage) => {
  const context = await stage.browser();
  const page = await context.newPage();
  await page.goto(stage.link());
  await page.getByRole("navigation").first().waitFor();
  const [first] = await context.cookies();
  await stage.scene.server.stop();
  await stage.scene.up();
  // Another port of the same home: the cookie is good there too.
  await page.goto(`${stage.scene.server.url}/settings`);
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  assert.equal((await context.cookies())[0]?.name, first?.name);
  stage.forgive(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|net::/);
});
