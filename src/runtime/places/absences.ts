/**
 * Places that cannot be had now: since when, and what their sessions are told of it. A host may be away for a while without
 * anything being wrong; only when it has been away for longer than it may, or says itself why it cannot be used, its sessions
 * are told of an error. It is tried again all the same.
 */
import { isLocal, type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { reasonOf } from "../failures/reason.ts";

export type AbsenceNews =
  { status: "starting" } | { status: "error"; code: string; message: string };

interface Absence {
  /** Of the monotonic clock. */
  since: number;
  /** Of the last try; null before the first. */
  error: unknown;
  /** What its sessions were told, the same for all of them. */
  told: { kind: string; news: AbsenceNews } | null;
}

export class Absences {
  readonly #patienceMs: number;
  readonly #nowMs: () => number;
  /** By the key of the place. */
  readonly #away = new Map<string, Absence>();

  /** `patienceMs`: for how long another host may be away. */
  constructor(patienceMs: number, nowMs: () => number) {
    this.#patienceMs = patienceMs;
    this.#nowMs = nowMs;
  }

  /** It could not be had for this reason, or its connection was lost. */
  begin(at: PlaceRef, error?: unknown): void {
    const absence = this.#absenceOf(at);
    if (error !== undefined) absence.error = error;
  }

  /** It is there. */
  end(at: PlaceRef): void {
    this.#away.delete(placeKey(at));
  }

  /** What is told of a place that has just failed with this. */
  newsOf(at: PlaceRef, error: unknown): AbsenceNews {
    const absence = this.#absenceOf(at);
    const kind = this.#kindOf(at, absence, error);
    if (kind === "starting") return { status: "starting" };
    if (absence.told?.kind !== kind)
      absence.told = { kind, news: this.#newsFor(at, absence, error) };
    return absence.told.news;
  }

  /** As what it counts that cannot be had now. */
  statusOf(at: PlaceRef): AbsenceNews["status"] {
    if (isLocal(at)) return "error";
    const { since, error } = this.#away.get(placeKey(at)) ?? NOT_NOTICED;
    const isKnown = error !== null && !isUnreachable(error);
    return isKnown || this.#isLong(since) ? "error" : "starting";
  }

  /** Why it cannot be had, as the last try found; null where it can, or was not tried. */
  whyAway(at: PlaceRef): string | null {
    const { error } = this.#away.get(placeKey(at)) ?? NOT_NOTICED;
    return error === null ? null : reasonOf(error).message;
  }

  #absenceOf(at: PlaceRef): Absence {
    const key = placeKey(at);
    const absence = this.#away.get(key) ?? {
      since: this.#nowMs(),
      error: null,
      told: null,
    };
    this.#away.set(key, absence);
    return absence;
  }

  /** Told again only when this changes: words of a network change with every try. */
  #kindOf(at: PlaceRef, { since }: Absence, error: unknown): string {
    const { code, message } = reasonOf(error);
    if (isLocal(at)) return message;
    if (!isUnreachable(error)) return code;
    return this.#isLong(since) ? code : "starting";
  }

  #isLong(since: number | null): boolean {
    return since !== null && this.#nowMs() - since >= this.#patienceMs;
  }

  #newsFor(at: PlaceRef, { since }: Absence, error: unknown): AbsenceNews {
    const { code, message } = reasonOf(error);
    if (isLocal(at) || !isUnreachable(error))
      return { status: "error", code, message };
    const seconds = Math.round((this.#nowMs() - since) / 1000);
    return {
      status: "error",
      code: "host_unreachable",
      message: `The host ${at.id} has not been reached for ${seconds} s. ${message}. What was sent to the session is kept and delivered then.`,
    };
  }
}

/** Its connection is frozen, or the look at it took too long. */
const NOT_NOTICED = { since: null, error: null };

const isUnreachable = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "agentctl_unavailable";
