import { arch, availableParallelism, cpus, platform, totalmem } from "node:os";

export interface Machine {
  cpu: string;
  cores: number;
  memory_gb: number;
  os: string;
  node: string;
  sqlite: string;
}

/** What the figures were taken on: they mean little without it. */
export const machine = (): Machine => ({
  cpu: cpus()[0]?.model ?? "unknown",
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 2 ** 30),
  os: `${platform()} ${arch()}`,
  node: process.version,
  sqlite: process.versions["sqlite"] ?? "unknown",
});
