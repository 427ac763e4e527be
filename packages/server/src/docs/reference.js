/** Renders the OpenAPI description into the page of the reference. Runs in browsers, as it is. */

const methods = ["get", "post", "put", "patch", "delete"];
let description;
/** The path that the service is mounted at; empty for none. */
const mountPath = document
  .querySelector("script")
  .getAttribute("src")
  .replace(/\/docs\/reference\.js$/, "");

/** An element with attributes and children. Strings become text nodes: the description cannot add markup to the page. */
function make(tag, attributes, children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...[children ?? []].flat().filter((child) => child !== null));
  return element;
}

/** Paragraphs of a text, with code between back quotes. */
function prose(text) {
  return (text || "")
    .split(/\n\n+/)
    .filter(Boolean)
    .map((paragraph) => make("p", {}, inline(paragraph)));
}
function inline(text) {
  return (text || "").split("`").map((part, index) => (index % 2 === 1 ? make("code", {}, part) : part));
}

function resolve(schema) {
  if (!schema?.$ref) return schema || {};
  const segments = schema.$ref.slice(2).split("/");
  return segments.reduce((node, name) => node?.[name], description) || {};
}
function nameOf(schema) {
  return schema?.$ref ? schema.$ref.split("/").pop() : undefined;
}
function typeText(schema) {
  if (nameOf(schema)) return nameOf(schema);
  if (schema.oneOf) return schema.oneOf.map(typeText).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return typeText(schema.items || {}) + "[]";
  let type = [].concat(schema.type || "any").join(" or ");
  const { minimum: low, maximum: high } = schema;
  if (low !== undefined && high !== undefined) type += ", " + low + " to " + high;
  if (schema.default !== undefined) type += ", default " + JSON.stringify(schema.default);
  return type;
}

function link(name) {
  return make("a", { href: "#schema-" + name }, name);
}
function schemaType(schema) {
  const inner = schema.type === "array" ? schema.items || {} : schema;
  if (nameOf(inner)) return [link(nameOf(inner)), schema.type === "array" ? "[]" : ""];
  return [typeText(schema)];
}
function members(schema, depth) {
  const shown = resolve(schema);
  if (shown.type === "array") return members(shown.items || {}, depth);
  if (shown.oneOf) return shown.oneOf.map((each) => members(each, depth)).find(Boolean) || null;
  const names = Object.keys(shown.properties || {});
  if (names.length === 0 || depth > 6) return null;
  const required = shown.required || [];
  return make(
    "ul",
    { class: "schema" },
    names.map((name) => {
      const member = shown.properties[name];
      const line = [make("code", {}, name), " ", make("span", { class: "dim" }, schemaType(member))];
      if (!required.includes(name)) line.push(make("span", { class: "dim" }, " optional"));
      if (member.description) line.push(" — ", ...inline(member.description));
      const reference = nameOf(member) || (member.type === "array" && nameOf(member.items));
      return make("li", {}, line.concat(reference ? [] : [members(member, depth + 1)]));
    }),
  );
}

function exampleOf(schema, depth) {
  if (depth > 8 || !schema) return null;
  if (schema.$ref) return exampleOf(resolve(schema), depth + 1);
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf) return exampleOf(schema.oneOf[0], depth + 1);
  const type = [].concat(schema.type || "object")[0];
  if (type === "array") return schema.items ? [exampleOf(schema.items, depth + 1)] : [];
  if (type === "object") {
    const value = {};
    for (const name of schema.required || []) value[name] = exampleOf(schema.properties?.[name], depth + 1);
    return value;
  }
  return { string: "text", integer: 1, number: 1, boolean: true }[type] || null;
}

function block(text) {
  return make("pre", {}, make("code", {}, text));
}
function quote(text) {
  return "'" + text.split("'").join("'\\''") + "'";
}
function curl(path, method, operation) {
  const servers = (description.paths[path].servers || description.servers)[0].url;
  const base = location.origin + (servers === "/" ? "" : servers);
  const examples = { id: "dc_h7Tq2Wn4Zx", key: "cursor" };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => examples[name] ?? name);
  const parts = ["curl"];
  if (operation.responses[200]?.content?.["text/event-stream"]) parts.push("-N");
  if (method !== "get") parts.push("-X " + method.toUpperCase());
  if (!operation.security || operation.security.length) parts.push('-H "authorization: Bearer $X_API_KEY"');
  const body = operation.requestBody?.content["application/json"];
  if (body) {
    parts.push("-H 'content-type: application/json'");
    parts.push("-d " + quote(JSON.stringify(body.example === undefined ? {} : body.example)));
  }
  return parts.concat(quote(base + filled)).join(" \\\n  ");
}

function parameters(operation) {
  if (!operation.parameters || operation.parameters.length === 0) return [];
  return [
    make("h4", {}, "Parameters"),
    make(
      "table",
      {},
      operation.parameters.map(({ name, in: location, required, schema, description }) =>
        make("tr", {}, [
          make("td", {}, [make("code", {}, name), " ", required ? make("span", { class: "need" }, "required") : null]),
          make("td", {}, [location, ", ", typeText(schema || {})]),
          make("td", {}, inline(description)),
        ]),
      ),
    ),
  ];
}
function requestBody(operation) {
  const body = operation.requestBody?.content["application/json"];
  return body ? [make("h4", {}, "Body"), members(body.schema, 0)] : [];
}
function responses(operation) {
  const nodes = [make("h4", {}, "Answers")];
  for (const [status, response] of Object.entries(operation.responses)) {
    const content = response.content?.["application/json"];
    const line = [make("code", {}, status), " ", ...inline(response.description)];
    if (!content || status[0] !== "2") nodes.push(make("p", {}, line));
    else {
      const example = block(JSON.stringify(exampleOf(content.schema, 0), null, 2));
      nodes.push(make("details", {}, [make("summary", {}, line), members(content.schema, 0), example]));
    }
  }
  return nodes;
}

function article(path, method, operation) {
  return make("article", { id: operation.operationId }, [
    make("h3", {}, make("a", { href: "#" + operation.operationId }, operation.summary)),
    make("p", { class: "path" }, [
      make("span", { class: "method " + method }, method.toUpperCase()),
      make("code", {}, path),
    ]),
    ...prose(operation.description),
    ...parameters(operation),
    ...requestBody(operation),
    make("h4", {}, "Example"),
    block(curl(path, method, operation)),
    ...responses(operation),
  ]);
}

/** Adds the operations of a tag to the page. Returns the nodes and texts that the search needs; undefined without operations. */
function renderTag(tag, main, list) {
  const section = make("section", {}, [make("h2", { id: "tag-" + tag.name }, tag.name), ...prose(tag.description)]);
  const group = make("div", {}, make("h2", {}, tag.name));
  const own = [];
  for (const [path, operations] of Object.entries(description.paths)) {
    for (const method of methods) {
      const operation = operations[method];
      if (!operation?.tags.includes(tag.name)) continue;
      const { operationId, summary, description: more = "" } = operation;
      const body = article(path, method, operation);
      const item = make("a", { href: "#" + operationId }, [
        make("span", { class: "method " + method }, method.toUpperCase()),
        make("span", {}, summary),
      ]);
      const text = [method, path, operationId, summary, more, tag.name].join(" ").toLowerCase();
      own.push({ nodes: [body, item], text });
      section.append(body);
      group.append(item);
    }
  }
  if (own.length === 0) return undefined;
  main.append(section);
  list.append(group);
  return { nodes: [section, group], own };
}

function renderSchemas() {
  const section = make("section", {}, make("h2", {}, "Schemas"));
  for (const [name, schema] of Object.entries(description.components.schemas)) {
    const example = schema.examples ? [block(JSON.stringify(schema.examples[0], null, 2))] : [];
    section.append(make("article", { id: "schema-" + name }, [make("h3", {}, name), members(schema, 0), ...example]));
  }
  return section;
}

const hide = (nodes, isHidden) => nodes.forEach((node) => node.classList.toggle("hidden", isHidden));

/** Shows only operations that contain every word of the search; the key `/` starts one. */
function enableSearch(search, entries, schemas) {
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { nodes, own } of entries) {
      const found = own.filter(({ text }) => words.every((word) => text.includes(word)));
      for (const each of own) hide(each.nodes, !found.includes(each));
      hide(nodes, found.length === 0);
    }
    hide([schemas], words.length > 0);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || document.activeElement === search) return;
    event.preventDefault();
    search.focus();
  });
}

/** Scrolls to the target of the URL; a target that the search hides clears the search. */
function showTarget(search) {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest(".hidden")) {
    search.value = "";
    search.dispatchEvent(new Event("input"));
  }
  target.scrollIntoView();
}

function render() {
  const main = document.getElementById("main");
  const { info, servers, openapi, tags } = description;
  document.title = info.title + " reference";
  main.replaceChildren(
    make("h1", {}, info.title + " " + info.version),
    make("p", { class: "dim" }, [
      info.summary || "",
      ". Base URL ",
      make("code", {}, location.origin + servers[0].url),
      ", ",
      make("a", { href: mountPath + "/v1/openapi.json" }, "OpenAPI " + openapi),
      ".",
    ]),
    ...prose(info.description),
  );
  const list = document.getElementById("list");
  const entries = tags.map((tag) => renderTag(tag, main, list)).filter(Boolean);
  const schemas = renderSchemas();
  main.append(schemas);
  const search = document.getElementById("search");
  enableSearch(search, entries, schemas);
  window.addEventListener("hashchange", () => showTarget(search));
  showTarget(search);
}

fetch(mountPath + "/v1/openapi.json")
  .then((response) => {
    if (!response.ok) throw new Error("The service answered " + response.status);
    return response.json();
  })
  .then((read) => {
    description = read;
    render();
  })
  .catch((error) => {
    document.getElementById("status").textContent = "The description cannot be shown: " + error.message;
  });
