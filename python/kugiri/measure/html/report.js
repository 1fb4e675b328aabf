"use strict";
// Plots: each is drawn when it comes near, as wide as its place, and again when the choice changes.
const specs = JSON.parse(document.getElementById("data").textContent);
const views = new Map();
const fit = async (place) => {
  const view = views.get(place);
  if (!view) return;
  const name = Object.keys(view.getState().signals).includes("child_width") ? "child_width" : "width";
  const labels = place.firstElementChild.getBoundingClientRect().width - view.signal(name);
  const width = Math.max(Math.floor(Math.min(place.clientWidth, 720) - labels), 80);
  if (width !== view.signal(name)) await view.signal(name, width).resize().runAsync();
};
const draw = async (place) => {
  const name = place.dataset.plot;
  const options = { ast: true, actions: false, renderer: "svg", mode: "vega-lite" };
  views.get(place)?.finalize();
  views.delete(place);
  const { view } = await vegaEmbed(place, specs[name], options);
  views.set(place, view);
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", `${specs[name].description}. The numbers are in the tables.`);
  await fit(place);
  place.dataset.drawn = name;
};
const sizes = new ResizeObserver((entries) => entries.forEach((entry) => fit(entry.target)));
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    draw(target).then(() => sizes.observe(target));
  }
}, { rootMargin: "400px" });
for (const place of document.querySelectorAll(".plot")) near.observe(place);
for (const choice of document.querySelectorAll("select[data-for]")) {
  choice.addEventListener("change", () => {
    const place = document.getElementById(choice.dataset.for);
    place.dataset.plot = choice.value;
    draw(place);
  });
}

// Tables: the heads become buttons; what is not defined stays at the end.
const compare = (a, b) => {
  const [x, y] = [Number(a), Number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
};
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.onclick = () => {
      const first = head.dataset.way ?? "ascending";
      const sorted = head.getAttribute("aria-sort");
      const next = sorted === "none" ? first : sorted === "ascending" ? "descending" : "ascending";
      const way = next === "ascending" ? 1 : -1;
      for (const each of heads) each.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", next);
      const by = (row) => row.cells[column].dataset.by ?? "";
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [by(a), by(b)];
        return x === "" || y === "" ? (x === "") - (y === "") : way * compare(x, y);
      });
      body.append(...rows);
    };
  });
}

// What scrolls sideways is a stop of the keyboard; what fits is none.
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const wide of document.querySelectorAll(".wide")) widths.observe(wide);

// A link to what is folded opens it.
const open = (hash) => {
  const target = hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
  for (let it = target && target.closest("details"); it; it = it.parentElement.closest("details")) {
    it.open = true;
  }
  if (target) target.scrollIntoView();
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (link) open(link.getAttribute("href"));
});
addEventListener("hashchange", () => open(location.hash));
open(location.hash);
