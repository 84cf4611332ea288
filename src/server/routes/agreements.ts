import type { Context, Hono } from "hono";
import { AgreementName } from "../../contract/api/agreement-route.ts";
import { routes } from "../../contract/api/route.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { body, query } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { render } from "../answer/render.ts";

export const agreementRoutes = (app: Hono, operations: Operations): void => {
  const show = routes.showAgreement;
  app.get(show.path, async (c) =>
    render(show, await operations.showAgreement(nameIn(c))),
  );
  const races = routes.listRaces;
  app.get(races.path, async (c) =>
    render(races, await operations.listRaces(query(c, races.query))),
  );
  const race = routes.showRace;
  app.get(race.path, async (c) =>
    render(race, await operations.showRace(nameIn(c, "a race"))),
  );
  const { agree } = routes;
  app.put(agree.path, async (c) => {
    const name = nameIn(c);
    const { value } = await body(c, agree.body);
    return render(agree, await operations.agree(name, value));
  });
};

const nameIn = (c: Context, of = "an agreement"): string => {
  const { data, error } = AgreementName.safeParse(c.req.param("name"));
  if (data !== undefined) return data;
  throw new RepriseError(
    "not_found",
    `That is not the name of ${of}, which ${error.issues[0]?.message ?? "looks different"}.`,
  );
};
