"use strict";
const [STEP_BACK, STEP_ON, PLAY, PAUSE, OF] = document.documentElement.lang === "ja"
  ? ["一つ前へ", "一つ先へ", "再生", "停止", "/"]
  : ["one step back", "one step on", "play", "pause", "of"];
// Steps become slides: a slider, buttons for one back and one on, and one that plays them.
for (const stepper of document.querySelectorAll(".stepper")) {
  const slides = [...stepper.querySelector(".slides").children];
  if (slides.length < 2) continue;
  const controls = document.createElement("div");
  controls.className = "controls";
  const make = (name, properties) =>
    controls.appendChild(Object.assign(document.createElement(name), properties));
  const back = make("button", { type: "button", textContent: "‹", ariaLabel: STEP_BACK });
  const slider = make("input", { type: "range", min: 0, max: slides.length - 1, value: 0 });
  slider.setAttribute("aria-label", stepper.dataset.name);
  const on = make("button", { type: "button", textContent: "›", ariaLabel: STEP_ON });
  const play = make("button", { type: "button", textContent: PLAY });
  const output = make("output", {});
  const first = Number(stepper.dataset.first);
  let timer = 0;
  const show = (at) => {
    slider.value = at;
    slides.forEach((slide, index) => slide.classList.toggle("now", index === at));
    output.textContent = `${at + first} ${OF} ${slides.length - 1 + first}`;
    slider.setAttribute("aria-valuetext", output.textContent);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = PLAY;
  };
  const move = (by) => {
    stop();
    show(Math.min(Math.max(Number(slider.value) + by, 0), slides.length - 1));
  };
  back.onclick = () => move(-1);
  on.onclick = () => move(1);
  slider.oninput = () => move(0);
  play.onclick = () => {
    if (timer) return stop();
    if (Number(slider.value) === slides.length - 1) show(0);
    play.textContent = PAUSE;
    timer = setInterval(() => {
      const next = Number(slider.value) + 1;
      if (next === slides.length - 1) stop();
      show(next);
    }, 900);
  };
  stepper.classList.add("stepped");
  stepper.prepend(controls);
  show(0);
}
// What stands for the same token is marked together, under the pointer and with the keyboard.
const link = (event, on) => {
  const token = event.target.closest && event.target.closest("[data-token]");
  if (!token) return;
  for (const same of document.querySelectorAll(`[data-token="${token.dataset.token}"]`)) {
    same.classList.toggle("linked", on);
  }
};
for (const [event, on] of [["mouseover", true], ["mouseout", false], ["focusin", true],
  ["focusout", false]]) {
  document.addEventListener(event, (it) => link(it, on));
}
