// Light or dark, English or Japanese: as the system has it, or as it was chosen here.
//
// Rule: the dark palette is one rule of page.css, `@media (prefers-color-scheme: dark)`; a choice
// changes when that rule holds. This module runs before the page is drawn, so nothing flashes.

import { remember, remembered } from "./remembered.js";

const DARK = "(prefers-color-scheme: dark)";
const WHEN = { system: DARK, dark: "all", light: "not all" };

const paper = [...document.styleSheets].find((sheet) => sheet.href?.endsWith("/page.css"));
const darkRule = [...paper.cssRules].find((rule) => rule.conditionText === DARK);

function dress(theme) {
  const its = Object.hasOwn(WHEN, theme) ? theme : "system";
  darkRule.media.mediaText = WHEN[its];
  document.documentElement.style.colorScheme = its === "system" ? "light dark" : its;
}

/** Whether the page is dark now. */
export function isDark() {
  const theme = remembered("theme", true);
  return theme === "dark" || (theme !== "light" && matchMedia(DARK).matches);
}

/** Turn light into dark, or back; what the system has is no choice and is not remembered. */
export function turnTheme() {
  const dark = !isDark();
  remember("theme", dark === matchMedia(DARK).matches ? "system" : dark ? "dark" : "light", true);
  dress(remembered("theme", true) ?? (dark ? "dark" : "light"));
}

/** The language that was chosen, or the browser's. */
export function preferredLanguage() {
  const chosen = remembered("language", true);
  return chosen ?? (navigator.language.toLowerCase().startsWith("ja") ? "ja" : "en");
}

/** Remember a language. */
export const preferLanguage = (language) => remember("language", language, true);

dress(remembered("theme", true) ?? "system");
