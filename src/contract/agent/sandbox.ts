/** What the agent, the commands and the shells of a session can reach (docs/spec/sandbox.md). */
import * as z from "zod";

/** `NAME`, `*.NAME` or an address, with a port where it is not that of HTTP or HTTPS. */
const HOST =
  /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/;

/** As a journal holds it. */
export const Sandbox = z.object({
  /** `on`: as outside. `off`: none. `list`: only what `hosts` names. */
  network: z.enum(["on", "off", "list"]),
  hosts: z.array(z.string()).optional(),
});
export type Sandbox = z.infer<typeof Sandbox>;

const Host = z
  .string()
  .max(260)
  .toLowerCase()
  .regex(
    HOST,
    'must be a name, "*." and a name, or an address; with a port where that is not 80 or 443',
  );

/** As a request says it: `true` stands for the defaults. */
export const SandboxField = z.union([
  z.literal(true).transform((): Sandbox => ({ network: "on" })),
  z
    .strictObject({
      network: z.enum(["on", "off", "list"]).default("on"),
      /** With `list`. */
      hosts: z.array(Host).min(1).max(100).optional(),
    })
    .refine(
      ({ network, hosts }) => (network === "list") === (hosts !== undefined),
      "hosts are those of the network list: give both or neither",
    )
    .transform(({ network, hosts }): Sandbox => ({
      network,
      ...(hosts !== undefined && { hosts }),
    })),
]);

/** In a sandbox an agent has a home of its own, whatever else is said: the person's is out of reach. */
export const hasOwnHome = ({
  home,
  sandbox,
}: {
  home: "user" | "session";
  sandbox?: Sandbox | undefined;
}): boolean => home === "session" || sandbox !== undefined;
