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
  why: string | null;
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
    if (error !== undefined) absence.why = reasonOf(error).message;
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

  /** Why it cannot be had, as the last try found; null where it can, or was not tried. */
  whyAway(at: PlaceRef): string | null {
    return this.#away.get(placeKey(at))?.why ?? null;
  }

  #absenceOf(at: PlaceRef): Absence {
    const key = placeKey(at);
    const absence = this.#away.get(key) ?? {
      since: this.#nowMs(),
      why: null,
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
    return this.#nowMs() - since < this.#patienceMs ? "starting" : code;
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

const isUnreachable = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "agentctl_unavailable";
