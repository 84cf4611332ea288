/** The lines of the report. Bars are promised for the large workspace; the small one is shown for orientation. */
import type { Again, Growth } from "./again.ts";
import { type Bar, figure, type Row } from "../figure.ts";
import type { FirstFull } from "./first-full.ts";
import type { Restores } from "./restores.ts";
import type { Times } from "./rounds.ts";

export interface Measurements {
  name: string;
  first: Omit<FirstFull, "kept">;
  unchanged: Again;
  edited: { times: Again; growth: Growth };
  rewound: Times<"ours" | "find">;
  restored: Restores;
  /** Where restores went to. */
  ground: string;
}

export const rowsOf = (measured: Measurements, promised: boolean): Row[] => {
  const { name, first, unchanged, edited, rewound, restored, ground } =
    measured;
  const seconds = (
    what: string,
    ours: readonly number[],
    peer: readonly number[],
    bar: Bar | null = null,
  ): Row =>
    figure(
      { what: `${name}: ${what}`, unit: "s", ours, peer },
      promised ? bar : null,
    );
  const megabytes = (
    what: string,
    ours: number,
    peer: number,
    bar: Bar | null = null,
  ): Row =>
    figure(
      {
        what: `${name}: ${what}`,
        unit: "MB",
        ours: [ours / 1e6],
        peer: [peer / 1e6],
      },
      promised ? bar : null,
    );
  const saved = first.times.of("ours");
  const idle = unchanged.of("ours");
  const edits = edited.times.of("ours");
  const back = restored.of("ours");
  return [
    seconds("first full, to tar.zst -3", saved, first.times.of("zstd"), {
      faster: 1.5,
    }),
    seconds("first full, to tar.gz", saved, first.times.of("gzip")),
    seconds("first full, to restic", saved, first.times.of("restic")),
    seconds("first full, to shadow git", saved, first.times.of("git")),
    megabytes("size, to tar.gz", first.sizes.ours, first.sizes.gzip, {
      most: 1,
    }),
    megabytes("size, to tar.zst -3", first.sizes.ours, first.sizes.zstd),
    megabytes("size, to restic", first.sizes.ours, first.sizes.restic),
    seconds("no change, to find -printf", idle, unchanged.of("find"), {
      most: 1.6,
    }),
    seconds("no change, to shadow git", idle, unchanged.of("git")),
    seconds("no change, to restic", idle, unchanged.of("restic")),
    seconds("10 edits, to find -printf", edits, edited.times.of("find"), {
      most: 2,
    }),
    seconds("10 edits, to restic", edits, edited.times.of("restic"), {
      faster: 10,
    }),
    seconds("10 edits, to shadow git", edits, edited.times.of("git")),
    megabytes(
      "growth by 20 × 10 edits, to restic",
      edited.growth.ours,
      edited.growth.restic,
      { most: 1 },
    ),
    seconds(
      "rewind of 10 files, to find -printf",
      rewound.of("ours"),
      rewound.of("find"),
      { most: 2 },
    ),
    seconds(`full restore (${ground}), to tar xzf`, back, restored.of("gzip"), {
      faster: 2,
    }),
    seconds(`full restore (${ground}), to tar.zst`, back, restored.of("zstd")),
    seconds(`full restore (${ground}), to restic`, back, restored.of("restic")),
    seconds(`full restore (${ground}), to cp -a`, back, restored.of("cp")),
  ];
};
