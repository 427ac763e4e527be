/** Renders the description into the page. It is text because it runs in browsers: nothing here is compiled. */
export const docsScript: string = String.raw`"use strict";
(function () {
  var methods = ["get", "post", "put", "patch", "delete"];
  var description;
  // Where the service is mounted.
  var mountPath = document.currentScript.getAttribute("src").replace(/\/docs\/reference\.js$/, "");

  // Everything goes in as text: no markup of the description is ever taken for markup of the page.
  function make(tag, attributes, children) {
    var element = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) { element.setAttribute(name, attributes[name]); });
    [].concat(children === undefined ? [] : children).forEach(function (child) {
      if (child !== null) element.append(child);
    });
    return element;
  }

  // Paragraphs, and code between back quotes.
  function prose(text) {
    return (text || "").split(/\n\n+/).filter(Boolean).map(function (paragraph) {
      return make("p", {}, inline(paragraph));
    });
  }
  function inline(text) {
    return (text || "").split("\x60").map(function (part, index) {
      return index % 2 === 1 ? make("code", {}, part) : part;
    });
  }

  function resolve(schema) {
    if (!schema || !schema.$ref) return schema || {};
    return schema.$ref.slice(2).split("/").reduce(function (node, name) { return node && node[name]; }, description) || {};
  }
  function nameOf(schema) {
    return schema && schema.$ref ? schema.$ref.split("/").pop() : undefined;
  }
  function typeText(schema) {
    if (nameOf(schema)) return nameOf(schema);
    if (schema.oneOf) return schema.oneOf.map(typeText).join(" or ");
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map(function (value) { return JSON.stringify(value); }).join(" | ");
    if (schema.type === "array") return typeText(schema.items || {}) + "[]";
    var type = [].concat(schema.type || "any").join(" or ");
    var low = schema.minimum, high = schema.maximum;
    if (low !== undefined && high !== undefined) type += ", " + low + " to " + high;
    if (schema.default !== undefined) type += ", default " + JSON.stringify(schema.default);
    return type;
  }

  function link(name) {
    return make("a", { href: "#schema-" + name }, name);
  }
  function schemaType(schema) {
    var inner = schema.type === "array" ? schema.items || {} : schema;
    if (nameOf(inner)) return [link(nameOf(inner)), schema.type === "array" ? "[]" : ""];
    return [typeText(schema)];
  }
  function members(schema, depth) {
    var shown = resolve(schema);
    if (shown.type === "array") return members(shown.items || {}, depth);
    if (shown.oneOf) return shown.oneOf.map(function (each) { return members(each, depth); }).find(Boolean) || null;
    var names = Object.keys(shown.properties || {});
    if (names.length === 0 || depth > 6) return null;
    var required = shown.required || [];
    return make("ul", { "class": "schema" }, names.map(function (name) {
      var member = shown.properties[name];
      var line = [make("code", {}, name), " ", make("span", { "class": "dim" }, schemaType(member))];
      if (required.indexOf(name) === -1) line.push(make("span", { "class": "dim" }, " optional"));
      if (member.description) line.push(" — "), line.push.apply(line, inline(member.description));
      var reference = nameOf(member) || (member.type === "array" && nameOf(member.items));
      return make("li", {}, line.concat(reference ? [] : [members(member, depth + 1)]));
    }));
  }

  function exampleOf(schema, depth) {
    if (depth > 8 || !schema) return null;
    if (schema.$ref) return exampleOf(resolve(schema), depth + 1);
    if (schema.examples && schema.examples.length) return schema.examples[0];
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    if (schema.oneOf) return exampleOf(schema.oneOf[0], depth + 1);
    var type = [].concat(schema.type || "object")[0];
    if (type === "array") return schema.items ? [exampleOf(schema.items, depth + 1)] : [];
    if (type === "object") {
      var value = {};
      (schema.required || []).forEach(function (name) {
        value[name] = exampleOf((schema.properties || {})[name], depth + 1);
      });
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
    var servers = (description.paths[path].servers || description.servers)[0].url;
    var base = location.origin + (servers === "/" ? "" : servers);
    var filled = path.replace(/\{(\w+)\}/g, function (_, name) {
      return name === "id" ? "dc_h7Tq2Wn4Zx" : name === "key" ? "cursor" : name;
    });
    var parts = ["curl"];
    if (operation.responses[200] && operation.responses[200].content && operation.responses[200].content["text/event-stream"]) parts.push("-N");
    if (method !== "get") parts.push("-X " + method.toUpperCase());
    if (!operation.security || operation.security.length) parts.push('-H "authorization: Bearer $X_API_KEY"');
    var body = operation.requestBody && operation.requestBody.content["application/json"];
    if (body) {
      parts.push("-H 'content-type: application/json'");
      parts.push("-d " + quote(JSON.stringify(body.example === undefined ? {} : body.example)));
    }
    return parts.concat(quote(base + filled)).join(" \\\n  ");
  }

  function parameters(operation) {
    if (!operation.parameters || operation.parameters.length === 0) return [];
    return [make("h4", {}, "Parameters"), make("table", {}, operation.parameters.map(function (parameter) {
      return make("tr", {}, [
        make("td", {}, [make("code", {}, parameter.name), " ", parameter.required ? make("span", { "class": "need" }, "required") : null]),
        make("td", {}, [parameter.in, ", ", typeText(parameter.schema || {})]),
        make("td", {}, inline(parameter.description)),
      ]);
    }))];
  }
  function requestBody(operation) {
    var body = operation.requestBody && operation.requestBody.content["application/json"];
    return body ? [make("h4", {}, "Body"), members(body.schema, 0)] : [];
  }
  function responses(operation) {
    var nodes = [make("h4", {}, "Answers")];
    Object.keys(operation.responses).forEach(function (status) {
      var response = operation.responses[status];
      var content = response.content && response.content["application/json"];
      var line = make("p", {}, [make("code", {}, status), " "].concat(inline(response.description)));
      if (!content || status[0] !== "2") { nodes.push(line); return; }
      nodes.push(make("details", {}, [
        make("summary", {}, [make("code", {}, status), " "].concat(inline(response.description))),
        members(content.schema, 0),
        block(JSON.stringify(exampleOf(content.schema, 0), null, 2)),
      ]));
    });
    return nodes;
  }

  function article(path, method, operation) {
    return make("article", { id: operation.operationId }, [
      make("h3", {}, make("a", { href: "#" + operation.operationId }, operation.summary)),
      make("p", { "class": "path" }, [make("span", { "class": "method " + method }, method.toUpperCase()), make("code", {}, path)]),
    ].concat(prose(operation.description), parameters(operation), requestBody(operation), [make("h4", {}, "Example"), block(curl(path, method, operation))], responses(operation)));
  }

  function render() {
    var main = document.getElementById("main");
    var list = document.getElementById("list");
    var entries = [];
    document.title = description.info.title + " reference";
    main.replaceChildren(
      make("h1", {}, description.info.title + " " + description.info.version),
      make("p", { "class": "dim" }, [description.info.summary || "", ". Base URL ", make("code", {}, location.origin + description.servers[0].url), ", ", make("a", { href: mountPath + "/v1/openapi.json" }, "OpenAPI " + description.openapi), "."])
    );
    main.append.apply(main, prose(description.info.description));
    description.tags.forEach(function (tag) {
      var heading = make("h2", { id: "tag-" + tag.name }, tag.name);
      var section = make("section", {}, [heading].concat(prose(tag.description)));
      var group = make("div", {}, make("h2", {}, tag.name));
      var own = [];
      Object.keys(description.paths).forEach(function (path) {
        methods.forEach(function (method) {
          var operation = description.paths[path][method];
          if (!operation || operation.tags.indexOf(tag.name) === -1) return;
          var body = article(path, method, operation);
          var item = make("a", { href: "#" + operation.operationId }, [make("span", { "class": "method " + method }, method.toUpperCase()), make("span", {}, operation.summary)]);
          own.push({ nodes: [body, item], text: [method, path, operation.operationId, operation.summary, operation.description || "", tag.name].join(" ").toLowerCase() });
          section.append(body);
          group.append(item);
        });
      });
      if (own.length === 0) return;
      entries.push({ nodes: [section, group], own: own });
      main.append(section);
      list.append(group);
    });
    var schemas = make("section", {}, make("h2", {}, "Schemas"));
    Object.keys(description.components.schemas).forEach(function (name) {
      var schema = description.components.schemas[name];
      schemas.append(make("article", { id: "schema-" + name }, [make("h3", {}, name), members(schema, 0)].concat(schema.examples ? [block(JSON.stringify(schema.examples[0], null, 2))] : [])));
    });
    main.append(schemas);

    var search = document.getElementById("search");
    search.addEventListener("input", function () {
      var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      entries.forEach(function (entry) {
        var left = entry.own.filter(function (each) {
          var fits = words.every(function (word) { return each.text.indexOf(word) !== -1; });
          each.nodes.forEach(function (node) { node.classList.toggle("hidden", !fits); });
          return fits;
        });
        entry.nodes.forEach(function (node) { node.classList.toggle("hidden", left.length === 0); });
      });
      schemas.classList.toggle("hidden", words.length > 0);
    });
    document.addEventListener("keydown", function (event) {
      if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus(); }
    });
    // What a search hides is shown again when somebody goes there.
    function go() {
      var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!target) return;
      if (target.closest(".hidden")) { search.value = ""; search.dispatchEvent(new Event("input")); }
      target.scrollIntoView();
    }
    window.addEventListener("hashchange", go);
    go();
  }

  fetch(mountPath + "/v1/openapi.json").then(function (response) {
    if (!response.ok) throw new Error("The service answered " + response.status);
    return response.json();
  }).then(function (read) { description = read; render(); }).catch(function (error) {
    document.getElementById("status").textContent = "The description cannot be shown: " + error.message;
  });
})();
`;
