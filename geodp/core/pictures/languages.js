// The languages of a report: a button for each puts the page into it. Without scripts it stays in the one it opens in.
(() => {
  "use strict";
  if (!window.DecompressionStream) return;
  const page = document.getElementById("page"), written = page.innerHTML.split("\n");

  async function start() {
    const packed = JSON.parse(document.getElementById("languages").textContent);
    const zipped = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("deflate"));
    const languages = await new Response(stream).json();
    if (written.length !== languages[0].lines.length) return; // names that a browser reads otherwise
    const choice = document.createElement("div");
    choice.id = "spoken";
    choice.setAttribute("role", "group");
    const buttons = languages.map(({ code }) => {
      const button = document.createElement("button");
      const named = new Intl.DisplayNames([code], { type: "language" }).of(code);
      Object.assign(button, { type: "button", lang: code, textContent: named });
      return button;
    });
    const mark = (place) => {
      choice.setAttribute("aria-label", languages[place].choice);
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", i === place));
    };
    buttons.forEach((button, place) => button.addEventListener("click", () => {
      const { code, title, lines } = languages[place];
      page.innerHTML = lines.map((line) => (typeof line === "number" ? written[line] : line)).join("\n");
      Object.assign(document, { title }).documentElement.lang = code;
      mark(place);
      document.dispatchEvent(new Event("language"));
    }));
    mark(0);
    choice.append(...buttons);
    page.before(choice);
  }
  start();
})();
