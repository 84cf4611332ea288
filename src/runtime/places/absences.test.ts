import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL } from "../../contract/base/place.ts";
import {
  type ProblemCode,
  RepriseError,
} from "../../contract/problem/problem.ts";
import { Absences } from "./absences.ts";

const FAR = { kind: "remote", id: "box" };
const error = (code: ProblemCode, words = "Nobody listens") =>
  new RepriseError(code, words);
const away = error("agentctl_unavailable");

const clocked = () => {
  let now = 0;
  const absences = new Absences(1000, () => now);
  return { absences, wait: (ms: number) => void (now += ms) };
};

test("[EXE-14] [EXE-15] a host that is away counts as coming until it has been away for too long, and is told once then", () => {
  const { absences, wait } = clocked();
  absences.begin(FAR);
  wait(999);
  assert.deepEqual(absences.newsOf(FAR, away), { status: "starting" });
  assert.equal(absences.statusOf(FAR), "starting");
  wait(1);
  const news = absences.newsOf(FAR, away);
  assert.deepEqual(
    [news.status, news.status === "error" && news.code],
    ["error", "host_unreachable"],
  );
  assert.equal(absences.statusOf(FAR), "error");
  wait(5000);
  const later = error("agentctl_unavailable", "Another reason of the network");
  assert.deepEqual(absences.newsOf(FAR, later), news);
  absences.end(FAR);
  assert.deepEqual(absences.newsOf(FAR, away), { status: "starting" });
});

test("[EXE-15] a host that says why it cannot be used is told at once, and again when that changes", () => {
  const { absences } = clocked();
  for (const code of ["host_not_usable", "wrong_fingerprint"] as const) {
    const why = error(code, code);
    absences.begin(FAR, why);
    assert.deepEqual(absences.newsOf(FAR, why), {
      status: "error",
      code,
      message: code,
    });
    assert.equal(absences.statusOf(FAR), "error");
    assert.equal(absences.whyAway(FAR), code);
  }
});

test("[REC-34] the machine of the server is told at once, with each new reason", () => {
  const { absences } = clocked();
  for (const words of ["one", "two"])
    assert.deepEqual(
      absences.newsOf(LOCAL, error("agentctl_unavailable", words)),
      { status: "error", code: "agentctl_unavailable", message: words },
    );
  assert.equal(absences.statusOf(LOCAL), "error");
});
