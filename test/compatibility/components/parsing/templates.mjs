import Handlebars from "handlebars";
import mustache from "mustache";
import { parseTemplate } from "url-template";

Handlebars.registerHelper("loud", (text) => new Handlebars.SafeString(String(text).toUpperCase()));

export default {
  name: "Templates",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  run({ body }) {
    const view = { ...body, yes: true };
    this.$emit({
      mustache: mustache.render("{{name}} {{{name}}} {{#items}}<{{.}}>{{/items}}{{^none}}!{{/none}}", view),
      handlebars: Handlebars.compile("{{loud name}} {{#each items}}{{@index}}:{{this}} {{/each}}{{#if yes}}y{{/if}}")(
        view,
      ),
      url: parseTemplate("https://a.example.com/{+path}{?q,list*}").expand({
        path: "x/y",
        q: body.name,
        list: body.items,
      }),
    });
    try {
      Handlebars.compile("{{#if}}")(view);
    } catch ({ name }) {
      this.$emit({ name });
    }
  },
};
