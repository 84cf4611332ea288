/**
 * Many who speak at the same time, as many sessions are busy at the same time: each began at a moment of its own and
 * goes on without a pause, so that turns begin and end all the while, here and there, and never all at once.
 */
import { setTimeout as delay } from "node:timers/promises";
import { now, type Span } from "../clock.ts";
import type { LagMeter } from "./lag.ts";

export interface Voice {
  meter: LagMeter;
  begin(): Promise<void>;
  leave(): void;
}

export class Choir {
  readonly #voices: readonly Voice[];

  private constructor(voices: readonly Voice[]) {
    this.#voices = voices;
  }

  /** They begin one after the other, all within `overMs`. Resolves when everybody speaks. */
  static async start(voices: readonly Voice[], overMs: number): Promise<Choir> {
    const start = now();
    for (const [index, voice] of voices.entries()) {
      const due = start + (index * overMs) / voices.length;
      await delay(Math.max(0, due - now()));
      await voice.begin();
    }
    await Promise.all(voices.map(({ meter }) => meter.begun));
    return new Choir(voices);
  }

  /** Resolves when the first has said all it had to say. */
  async whileAllSpeak(): Promise<void> {
    await Promise.race(this.#voices.map(({ meter }) => meter.complete));
  }

  /** When what was written between two moments was on its way. All of it has arrived when this resolves. */
  async ways(from: number, to: number): Promise<Span[]> {
    await Promise.all(this.#voices.map(({ meter }) => meter.complete));
    for (const voice of this.#voices) voice.leave();
    return this.#voices.flatMap(({ meter }) => meter.ways(from, to));
  }
}

/** The ways of everything that is written while all of them speak. */
export const waysOfChoir = async (
  voices: readonly Voice[],
  overMs: number,
): Promise<Span[]> => {
  const choir = await Choir.start(voices, overMs);
  const from = now();
  await choir.whileAllSpeak();
  return choir.ways(from, now());
};
