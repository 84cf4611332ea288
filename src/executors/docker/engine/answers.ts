/** What of an engine's answers is used, and nothing else. */
import * as z from "zod";

export const EngineInfo = z.object({
  ID: z.string(),
  DockerRootDir: z.string(),
  ServerVersion: z.string(),
  OSType: z.string(),
  Architecture: z.string(),
  SecurityOptions: z.array(z.string()).nullish(),
});
export type EngineInfo = z.infer<typeof EngineInfo>;

export const Container = z.object({
  Id: z.string().min(1),
  State: z.object({
    Status: z.string(),
    Running: z.boolean(),
    Paused: z.boolean(),
    OOMKilled: z.boolean().default(false),
    ExitCode: z.number().int(),
    Error: z.string().default(""),
  }),
  Config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }),
});
export type Container = z.infer<typeof Container>;

export const ListedContainers = z.array(
  z.object({
    Id: z.string(),
    State: z.string(),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
);
export type ListedContainer = z.infer<typeof ListedContainers>[number];

export const Image = z.object({
  Id: z.string(),
  Os: z.string(),
  Architecture: z.string(),
});
export type Image = z.infer<typeof Image>;

export const Created = z.object({ Id: z.string().min(1) });

export const Refused = z.object({ message: z.string() });
