// The map of a report, to look at closely: zoom, pan, what a cell or a district holds, a table that sorts.
// Everything it needs is in the page; without it, or with scripts off, the picture stays.
(() => {
  "use strict";
  const store = document.getElementById("cells");
  if (!store || !window.DecompressionStream) return;
  const about = JSON.parse(store.textContent);

  async function unpacked(text) {
    const zipped = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  }

  const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  const said = (value) => number.format(value).replace("-", "\u2212");
  const between = (low, high) => `between ${said(low)} and ${said(high)}`;

  async function start() {
    const count = about.count;
    const [box, first, second] = [
      new Uint16Array(await unpacked(about.boxes)),
      ...(await Promise.all(about.views.map(async (v) => new Uint8Array(await unpacked(v.classes))))),
    ];
    const numbers = new Float32Array(await unpacked(about.numbers)); // estimate, low, high
    const classes = [first, second];
    build();
    const canvas = document.getElementById("map");
    const pen = canvas.getContext("2d");
    const told = document.getElementById("told");
    const rows = [...document.querySelectorAll("#districts tbody tr")];
    const view = { zoom: 1, x: 0, y: 0, which: 0, cell: -1, region: -1 };
    const FULL = 65535;

    // Cells by coarse squares of the map, so that the one under the pointer is found at once.
    const SIDE = 64;
    const squares = Array.from({ length: SIDE * SIDE }, () => []);
    const square = (v) => Math.min(SIDE - 1, Math.floor((v * SIDE) / (FULL + 1)));
    for (let i = 0; i < count; i++) {
      const [l, t, r, b] = box.subarray(4 * i, 4 * i + 4);
      for (let row = square(t); row <= square(Math.max(t, b - 1)); row++)
        for (let col = square(l); col <= square(Math.max(l, r - 1)); col++) squares[row * SIDE + col].push(i);
    }
    const paths = about.regions.map((region) => {
      const path = new Path2D();
      for (const ring of region.rings) {
        for (let i = 0; i < ring.length; i += 2) path[i ? "lineTo" : "moveTo"](ring[i], ring[i + 1]);
        path.closePath();
      }
      return path;
    });

    const size = () => [canvas.width, canvas.height];
    function place() { // from units of the page's data to pixels
      const [w, h] = size();
      return [(w / FULL) * view.zoom, (h / FULL) * view.zoom, view.x * w, view.y * h];
    }

    function draw() {
      const [w, h] = size();
      const [sx, sy, dx, dy] = place();
      const shown = about.views[view.which];
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.fillStyle = "#ffffff";
      pen.fillRect(0, 0, w, h);
      const which = classes[view.which];
      for (let i = 0; i < count; i++) {
        const left = Math.round(box[4 * i] * sx + dx), right = Math.round(box[4 * i + 2] * sx + dx);
        const top = Math.round(box[4 * i + 1] * sy + dy), bottom = Math.round(box[4 * i + 3] * sy + dy);
        if (right < 0 || bottom < 0 || left > w || top > h) continue;
        pen.fillStyle = shown.legend[which[i]].colour;
        pen.fillRect(left, top, Math.max(right - left, 1), Math.max(bottom - top, 1));
      }
      pen.setTransform(sx, 0, 0, sy, dx, dy);
      pen.lineWidth = 1.2 / Math.min(sx, sy);
      pen.strokeStyle = "#333333";
      paths.forEach((path) => pen.stroke(path));
      if (view.region >= 0) {
        pen.lineWidth *= 2.6;
        pen.stroke(paths[view.region]);
      } else if (view.cell >= 0) {
        const [l, t, r, b] = box.subarray(4 * view.cell, 4 * view.cell + 4);
        pen.lineWidth *= 1.6;
        pen.strokeRect(l, t, r - l, b - t);
      }
    }

    function at(px, py) {
      const [sx, sy, dx, dy] = place();
      return [(px - dx) / sx, (py - dy) / sy];
    }
    function cellAt(x, y) {
      if (x < 0 || y < 0 || x > FULL || y > FULL) return -1;
      const found = squares[square(y) * SIDE + square(x)];
      return found.find((i) => box[4 * i] <= x && x < box[4 * i + 2] && box[4 * i + 1] <= y && y < box[4 * i + 3]) ?? -1;
    }
    function regionAt(x, y) {
      pen.setTransform(1, 0, 0, 1, 0, 0);
      return paths.findIndex((path) => pen.isPointInPath(path, x, y, "evenodd"));
    }
    function look(x, y) {
      view.cell = cellAt(x, y);
      light(regionAt(x, y));
      tell();
      draw();
    }
    function light(region) {
      view.region = region;
      rows.forEach((row) => row.classList.toggle("lit", Number(row.dataset.region) === region));
    }
    function tell() {
      const parts = [];
      if (view.region >= 0) {
        const region = about.regions[view.region];
        parts.push(region.answered
          ? `${region.name}: about ${said(region.estimate)} records, ${between(region.low, region.high)}.`
          : `${region.name}: outside the map.`);
      }
      if (view.cell >= 0) {
        const [estimate, low, high] = numbers.subarray(3 * view.cell, 3 * view.cell + 3);
        const [l, t, r, b] = box.subarray(4 * view.cell, 4 * view.cell + 4);
        const wide = ((r - l) / FULL) * about.width, tall = ((b - t) / FULL) * about.height;
        parts.push(`This cell (${said(wide)} \u00d7 ${said(tall)} ${about.unit}): about ${said(estimate)} records, ${between(low, high)}.`);
      }
      told.textContent = parts.join(" ") || about.hint;
    }
    function zoom(factor, px, py) {
      const [w, h] = size();
      const next = Math.min(60, Math.max(1, view.zoom * factor));
      const fx = px / w, fy = py / h, ratio = next / view.zoom;
      view.x = fx - (fx - view.x) * ratio;
      view.y = fy - (fy - view.y) * ratio;
      view.zoom = next;
      keep();
      draw();
    }
    function keep() { // never lose the map out of sight
      const least = 1 - view.zoom;
      view.x = Math.min(0, Math.max(least, view.x));
      view.y = Math.min(0, Math.max(least, view.y));
    }
    function fit() {
      const wide = canvas.clientWidth, dense = window.devicePixelRatio || 1;
      canvas.width = Math.round(wide * dense);
      canvas.height = Math.round(Math.min(wide * (about.height / about.width), 2 * wide) * dense);
      canvas.style.height = `${canvas.height / dense}px`;
      draw();
    }

    function pixel(event) {
      const frame = canvas.getBoundingClientRect();
      const dense = canvas.width / frame.width;
      return [(event.clientX - frame.left) * dense, (event.clientY - frame.top) * dense];
    }
    let held = null;
    canvas.addEventListener("pointerdown", (event) => {
      held = { at: pixel(event), x: view.x, y: view.y };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointerup", () => { held = null; });
    canvas.addEventListener("pointermove", (event) => {
      const [px, py] = pixel(event);
      if (held && view.zoom > 1) {
        const [w, h] = size();
        view.x = held.x + (px - held.at[0]) / w;
        view.y = held.y + (py - held.at[1]) / h;
        keep();
      }
      look(...at(px, py));
    });
    canvas.addEventListener("pointerleave", () => { view.cell = -1; light(-1); tell(); draw(); });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) return; // the page scrolls as usual
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.25 : 0.8, ...pixel(event));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const [w, h] = size();
      const step = 0.1;
      const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
      if (event.key in moves) {
        view.x += moves[event.key][0];
        view.y += moves[event.key][1];
        keep();
      } else if (event.key === "+" || event.key === "=") zoom(1.25, w / 2, h / 2);
      else if (event.key === "-") zoom(0.8, w / 2, h / 2);
      else if (event.key === "0") Object.assign(view, { zoom: 1, x: 0, y: 0 });
      else return;
      event.preventDefault();
      look(...at(w / 2, h / 2)); // the middle of the map is read out
    });
    document.getElementById("closer").onclick = () => zoom(1.6, canvas.width / 2, canvas.height / 2);
    document.getElementById("farther").onclick = () => zoom(1 / 1.6, canvas.width / 2, canvas.height / 2);
    document.getElementById("whole").onclick = () => { Object.assign(view, { zoom: 1, x: 0, y: 0 }); draw(); };
    document.querySelectorAll("input[name=view]").forEach((input) => input.addEventListener("change", () => {
      view.which = Number(input.value);
      legend();
      draw();
    }));

    function legend() {
      const list = document.getElementById("legend");
      list.replaceChildren(...about.views[view.which].legend.filter((each) => each.occurs).map((each) => {
        const item = document.createElement("li"), patch = document.createElement("i");
        patch.style.background = each.colour;
        item.append(patch, each.label);
        return item;
      }));
    }

    rows.forEach((row) => {
      const region = Number(row.dataset.region);
      row.addEventListener("pointerenter", () => { view.cell = -1; light(region); tell(); draw(); });
      row.addEventListener("pointerleave", () => { light(-1); tell(); draw(); });
    });
    document.querySelectorAll("#districts th").forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        document.querySelectorAll("#districts th").forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
        const order = (a, b) => {
          const [one, other] = [key(a), key(b)];
          const plain = one === "" || other === "" ? (one === "") - (other === "") : null;
          if (plain !== null) return plain; // what has no value comes last, either way
          const sign = up ? 1 : -1;
          return sign * (isNaN(one) || isNaN(other) ? one.localeCompare(other) : Number(one) - Number(other));
        };
        const body = rows[0].parentNode;
        body.append(...[...rows].sort(order));
      });
    });
    legend();
    tell();
    fit();
    new ResizeObserver(fit).observe(canvas.parentNode);
  }

  function build() {
    const radio = about.views.map((view, i) =>
      `<label><input type="radio" name="view" value="${i}"${i ? "" : " checked"}> ${view.name}</label>`).join(" ");
    const explorer = document.createElement("div");
    explorer.id = "explorer";
    explorer.innerHTML = `<div class="tools" role="group" aria-label="Map">${radio}
      <span><button type="button" id="closer" aria-label="Closer">+</button>
      <button type="button" id="farther" aria-label="Farther">\u2212</button>
      <button type="button" id="whole">Whole map</button></span></div>
      <canvas id="map" tabindex="0" role="img"></canvas>
      <ul id="legend"></ul><p id="told" role="status" aria-live="polite"></p>`;
    explorer.querySelector("canvas").setAttribute("aria-label", about.label);
    const picture = document.getElementById("picture");
    picture.style.display = "none";
    picture.after(explorer);
  }
  start();
})();
