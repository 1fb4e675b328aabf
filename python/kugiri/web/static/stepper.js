// Steps under a slider: one back, a slider, one on, play. What a step is, others draw.
//
// stepper({ label, last, at, first, say, draw }) → element; `first` is the number of step 0. `say(at)` is what the slider says of a step,
// `draw(at)` draws it; both are called for each step that is shown. With the keyboard the slider is
// a slider, and nothing moves by itself until "play" is pressed.

import { button, h } from "./elements.js";
import { t } from "./messages.js";

const PACE = 900; // milliseconds a step is shown while playing

/** The controls; the first step is drawn at once. */
export function stepper({ label, last, at = 0, first = 0, say, draw }) {
  let timer = 0;
  const slider = h("input", { type: "range", min: 0, max: last, "aria-label": label });
  const back = button("‹", () => move(-1), { "aria-label": t("step.back") });
  const on = button("›", () => move(1), { "aria-label": t("step.on") });
  const play = button(t("step.play"), toggle);
  const output = h("output", {});

  function show(next) {
    const step = Math.min(Math.max(next, 0), last);
    slider.value = step;
    output.textContent = t("step.of", { at: step + first, last: last + first });
    slider.setAttribute("aria-valuetext", say(step));
    back.disabled = step === 0;
    on.disabled = step === last;
    draw(step);
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = t("step.play");
  }
  function move(by) {
    stop();
    show(Number(slider.value) + by);
  }
  function toggle() {
    if (timer) return stop();
    if (Number(slider.value) === last) show(0);
    play.textContent = t("step.pause");
    timer = setInterval(() => {
      if (!slider.isConnected) return stop();
      show(Number(slider.value) + 1);
      if (Number(slider.value) === last) stop();
    }, PACE);
  }

  slider.addEventListener("input", () => move(0));
  show(at);
  return h("div", { class: "controls" }, back, slider, on, play, output);
}
