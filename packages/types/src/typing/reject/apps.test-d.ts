/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineApp, defineComponent } from "@x/types";

declare module "@x/types" {
  interface AppAuth {
    sealed: { api_key: string };
  }
}

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: { type: "string" },
    limit: { type: "integer", optional: true },
    state: { type: "string", options: ["open", "closed"] },
  },
  methods: {
    async list(team: string): Promise<number[]> {
      return [team.length];
    },
  },
});
const bare = defineApp({ type: "app", app: "bare" });
const sealed = defineApp({ type: "app", app: "sealed" });

// # a definition that the app does not have
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: {
      // @ts-expect-error -- propDefinition: the app has no propDefinition called teem
      propDefinition: [acme, "teem"],
    },
  },
  run() {},
});

// # a definition of an app that has none
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    bare,
    team: {
      // @ts-expect-error -- propDefinition: the app has no propDefinition called team
      propDefinition: [bare, "team"],
    },
  },
  run() {},
});

// # a method that the app does not have
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme },
  run() {
    // @ts-expect-error -- lists: Property 'lists' does not exist
    return this.acme.lists("a");
  },
});

// # a method of the app with wrong arguments
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme },
  run() {
    // @ts-expect-error -- 1: Argument of type 'number' is not assignable to parameter of type 'string'
    return this.acme.list(1);
  },
});

// # the result of a method of the app, not awaited
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme },
  run() {
    // @ts-expect-error -- map: Property 'map' does not exist on type 'Promise<number[]>'
    return this.acme.list("a").map(String);
  },
});

// # an inherited type used as another
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme, team: { propDefinition: [acme, "team"] } },
  run() {
    // @ts-expect-error -- toFixed: Property 'toFixed' does not exist on type 'string'
    return this.team.toFixed();
  },
});

// # an inherited optional used unchecked
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme, limit: { propDefinition: [acme, "limit"] } },
  run() {
    // @ts-expect-error -- this.limit: possibly 'undefined'
    return this.limit.toFixed();
  },
});

// # an inherited choice that does not exist
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme, state: { propDefinition: [acme, "state"] } },
  run() {
    // @ts-expect-error -- this.state === "merged": no overlap
    return this.state === "merged";
  },
});

// # an overriding type used as the inherited one
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme, teams: { propDefinition: [acme, "team"], type: "string[]" } },
  run() {
    // @ts-expect-error -- trim: Property 'trim' does not exist on type 'string[]'
    return this.teams.trim();
  },
});

// # a field beside a propDefinition that its type does not have
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: {
      propDefinition: [acme, "team"],
      // @ts-expect-error -- customResponse: only $.interface.http props have customResponse
      customResponse: true,
    },
  },
  run() {},
});

// # a misspelt field beside a propDefinition
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: {
      propDefinition: [acme, "team"],
      // @ts-expect-error -- lable: a prop has no field lable
      lable: "Team",
    },
  },
  run() {},
});

// # a key that the app's credentials do not have
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { sealed },
  run() {
    // @ts-expect-error -- api_kee: Property 'api_kee' does not exist
    return this.sealed.$auth.api_kee;
  },
});

// # a key that the app's credentials do not have, in the app
defineApp({
  type: "app",
  app: "sealed",
  methods: {
    token(): string {
      // @ts-expect-error -- token: Property 'token' does not exist
      return this.$auth.token;
    },
  },
});

// # a method that the app itself does not have
defineApp({
  type: "app",
  app: "acme",
  methods: {
    one(): void {},
    two(): void {
      // @ts-expect-error -- three: Property 'three' does not exist
      this.three();
    },
  },
});

// # an app without a slug
// @ts-expect-error -- {: Property 'app' is missing
defineApp({ type: "app", methods: {} });

// # an unknown type among the definitions of an app
defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: {
      // @ts-expect-error -- type: no prop type is called float
      type: "float",
    },
  },
  methods: {
    list(): void {},
    twice(): void {
      this.list();
    },
  },
});

// # a default beside a propDefinition of another type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    limit: {
      propDefinition: [acme, "limit"],
      // @ts-expect-error -- default: default of a prop of type integer must be a number
      default: "10",
    },
  },
  run() {},
});

// # an unknown type beside a propDefinition
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    limit: {
      propDefinition: [acme, "limit"],
      // @ts-expect-error -- type: no prop type is called float
      type: "float",
    },
  },
  run() {},
});

// # a propDefinition with the app's name
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    limit: {
      // @ts-expect-error -- propDefinition: the app has no propDefinitions
      propDefinition: ["acme", "limit"],
    },
  },
  run() {},
});

// # an account without a slug
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    some: {
      // @ts-expect-error -- type: a prop of type app needs app, the slug of an app
      type: "app",
    },
  },
  run() {},
});

// # a slug that is no text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    some: {
      type: "app",
      // @ts-expect-error -- app: app is the slug of an app, as text
      app: 1,
    },
  },
  run() {},
});

// # a mistake in an app is none of the component's
const broken = defineApp({
  type: "app",
  app: "broken",
  propDefinitions: {
    team: {
      type: "string",
      async options({ page }) {
        return this.teams(page);
      },
    },
    limit: {
      type: "integer",
      // @ts-expect-error -- default: default of a prop of type integer must be a number
      default: "10",
    },
    state: { type: "string", options: ["open", "closed"] },
  },
  methods: {
    teams(page: number): string[] {
      return [String(page)];
    },
  },
});
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    broken,
    team: { propDefinition: [broken, "team"], optional: true, default: "a" },
    limit: { propDefinition: [broken, "limit"] },
    state: { propDefinition: [broken, "state"], default: "open" },
  },
  run() {
    return this.broken.teams(this.limit).concat(this.team, this.state);
  },
});

// # a propDefinition that is text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: {
      // @ts-expect-error -- propDefinition: a propDefinition is [app, name] or [app, name, inputs]
      propDefinition: "team",
    },
  },
  run() {},
});

// # a propDefinition without a name
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: {
      // @ts-expect-error -- propDefinition: a propDefinition is [app, name] or [app, name, inputs]
      propDefinition: [acme],
    },
  },
  run() {},
});

// # the definition itself in place of a reference
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: {
      // @ts-expect-error -- propDefinition: a propDefinition is [app, name] or [app, name, inputs]
      propDefinition: acme.propDefinitions.team,
    },
  },
  run() {},
});

// # a misspelt field beside a definition that another app inherits
const heir = defineApp({
  type: "app",
  app: "heir",
  propDefinitions: { team: { propDefinition: [acme, "team"], optional: true } },
});
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    heir,
    team: {
      propDefinition: [heir, "team"],
      // @ts-expect-error -- descripton: a prop has no field descripton
      descripton: "Whose",
    },
  },
  run() {},
});
