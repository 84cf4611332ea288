/** What the agent, the commands and the shells of a session can reach (docs/spec/sandbox.md). */
import * as z from "zod";

/** As a journal holds it. */
export const Sandbox = z.object({
  /** `on`: as outside. `off`: none. */
  network: z.enum(["on", "off"]),
});
export type Sandbox = z.infer<typeof Sandbox>;

/** As a request says it: `true` stands for the defaults. */
export const SandboxField = z.union([
  z.literal(true).transform((): Sandbox => ({ network: "on" })),
  z.strictObject({ network: z.enum(["on", "off"]).default("on") }),
]);

/** In a sandbox an agent has a home of its own, whatever else is said: the person's is out of reach. */
export const hasOwnHome = ({
  home,
  sandbox,
}: {
  home: "user" | "session";
  sandbox?: Sandbox | undefined;
}): boolean => home === "session" || sandbox !== undefined;
