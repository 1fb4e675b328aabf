// Elements of the page: made one by one, never from a string of markup.
//
// h("p", { class: "soft" }, "text", child) makes an HTML element, svg(…) one of SVG. Attributes that
// are null or false are left out, true is an empty one. `on` holds listeners, `data` what the
// element stands for (dataset), `style` custom properties (the page's policy allows no style
// attributes, setting properties is allowed). Children are nodes, texts, or lists of them.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. */
export function h(tag, attributes = {}, ...children) {
  return dressed(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function svg(tag, attributes = {}, ...children) {
  return dressed(document.createElementNS(SVG, tag), attributes, children);
}

function dressed(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, listener);
      }
    } else if (name === "data") {
      for (const [key, its] of Object.entries(value)) element.dataset[key] = its;
    } else if (name === "style") {
      for (const [key, its] of Object.entries(value)) element.style.setProperty(key, its);
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...flat(children));
  return element;
}

/** An element with these children, and no others. */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

function flat(children) {
  return children.flat(Infinity).filter((it) => it !== null && it !== undefined && it !== false);
}

/** A button; it does no more than what is said here. */
export function button(words, onClick, attributes = {}) {
  return h("button", { type: "button", ...attributes, on: { click: onClick } }, words);
}

/** What may be wider than the page, and is then moved with the keyboard. */
export function wide(name, ...children) {
  return h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": name }, ...children);
}
