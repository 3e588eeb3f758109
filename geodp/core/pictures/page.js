// The map of a report, to look at closely: groups, zoom, what a cell or a district holds, a table that sorts.
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
  const signed = (sign) => about.signs[sign] ?? sign; // of the page's language
  const said = (value, digits = number) => digits.format(value).replace(/[,.]/g, signed).replace("-", "\u2212");
  // In one go, so that no name is ever taken for a blank.
  const phrase = (name, ...values) => about.words[name].replace(/\{(\d)\}/g, (_, place) => values[place - 1]);
  const finer = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 }); // rounded by its error already
  function told(which, [estimate, low, high], means) {
    const things = about.things[said(estimate) === "1" ? 0 : 1];
    const count = phrase("told", which, said(estimate), things, said(low), said(high));
    if (!about.mean) return count;
    const known = means && !isNaN(means[0]);
    return `${count} ${known ? phrase("mean", about.mean, ...Array.from(means, (each) => said(each, finer))) : phrase("unknown", about.mean)}`;
  }

  async function load() {
    await Promise.all(about.groups.map(async (group) => Object.assign(group, {
      numbers: new Float32Array(await unpacked(group.numbers)), // estimate, low, high
      means: group.means && new Float32Array(await unpacked(group.means)), // the same of an amount
      classes: await Promise.all(group.views.map(async (v) => new Uint8Array(await unpacked(v.classes)))),
      dots: await Promise.all(group.views.map(async (v) => v.dots ? new Uint16Array(await unpacked(v.dots)) : [])),
    })));
    return [new Uint16Array(await unpacked(about.boxes)), about.nowhere && await painted(about.nowhere)];
  }

  function put(phrases, data) { // phrases of a language at their places
    for (const [key, part] of Object.entries(phrases))
      if (typeof part === "string") data[key] = part;
      else put(part, data[key]);
  }

  const loaded = load(), resized = new ResizeObserver(() => fit());
  let fit = () => {}, turn = 0;

  async function start() { // again for each language that the page is put into
    const mine = ++turn;
    const [box, sea] = await loaded;
    if (mine !== turn) return;
    const { signs, ...phrases } = about.spoken[document.documentElement.lang];
    about.signs = signs;
    put(phrases, about);
    build();
    const count = about.count, groups = about.groups;
    const canvas = document.getElementById("map");
    const pen = canvas.getContext("2d");
    const status = document.getElementById("told");
    const rows = [...document.querySelectorAll("#districts tbody tr")];
    const view = { zoom: 1, x: 0, y: 0, group: 0, which: 0, cell: -1, region: -1, cursor: null };
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
    const traced = (rings, closed) => {
      const path = new Path2D();
      for (const ring of rings) {
        for (let i = 0; i < ring.length; i += 2) path[i ? "lineTo" : "moveTo"](ring[i], ring[i + 1]);
        if (closed) path.closePath();
      }
      return path;
    };
    const paths = about.regions.map((region) => traced(region.rings, true));
    const shapes = about.shapes && about.shapes.map((shape) => traced(shape.rings, true));
    const lines = traced(about.lines, false);

    const size = () => [canvas.width, canvas.height];
    function place() { // from units of the page's data to pixels
      const [w, h] = size();
      return [(w / FULL) * view.zoom, (h / FULL) * view.zoom, view.x * w, view.y * h];
    }

    // Cells and sea, drawn again only where they change; what is pointed at comes on top.
    const ground = document.createElement("canvas");
    let laid = "";
    function lay(w, h) {
      const key = [w, h, view.zoom, view.x, view.y, view.group, view.which].join();
      if (key === laid) return;
      laid = key;
      Object.assign(ground, { width: w, height: h });
      const brush = ground.getContext("2d");
      brush.fillStyle = shapes ? about.nothing : "#ffffff";
      brush.fillRect(0, 0, w, h);
      const [sx, sy, dx, dy] = place();
      const which = groups[view.group].classes[view.which];
      const shown = groups[view.group].views[view.which];
      shown.legend.forEach((each, k) => {
        if (!each.occurs) return;
        brush.fillStyle = shown.ground ?? each.colour;
        for (let i = 0; i < count; i++) {
          if (which[i] !== k) continue;
          if (shapes) {
            fill(brush, shapes[i], [sx, 0, 0, sy, dx, dy]);
            continue;
          }
          const left = Math.round(box[4 * i] * sx + dx), right = Math.round(box[4 * i + 2] * sx + dx);
          const top = Math.round(box[4 * i + 1] * sy + dy), bottom = Math.round(box[4 * i + 3] * sy + dy);
          if (right < 0 || bottom < 0 || left > w || top > h) continue;
          brush.fillRect(left, top, Math.max(right - left, 1), Math.max(bottom - top, 1));
        }
      });
      brush.imageSmoothingEnabled = false;
      if (sea) brush.drawImage(sea, dx, dy, w * view.zoom, h * view.zoom);
      const dots = groups[view.group].dots[view.which], side = 1.6 * (window.devicePixelRatio || 1) * Math.sqrt(view.zoom);
      if (dots.length) brush.fillStyle = shown.legend[0].colour;
      for (let i = 0; i < dots.length; i += 2)
        brush.fillRect(dots[i] * sx + dx - side / 2, dots[i + 1] * sy + dy - side / 2, side, side);
    }

    function fill(brush, shape, matrix) {
      const placed = new Path2D();
      placed.addPath(shape, new DOMMatrix(matrix));
      brush.fill(placed, "evenodd");
      brush.strokeStyle = "#ffffff";
      brush.lineWidth = 0.6 * (window.devicePixelRatio || 1);
      brush.stroke(placed);
    }

    function draw() {
      const [w, h] = size();
      const [sx, sy, dx, dy] = place();
      lay(w, h);
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.drawImage(ground, 0, 0);
      const dense = window.devicePixelRatio || 1;
      const outline = (path, width) => { // as thick along the map as across it
        const placed = new Path2D();
        placed.addPath(path, new DOMMatrix([sx, 0, 0, sy, dx, dy]));
        pen.lineWidth = width * dense;
        pen.stroke(placed);
      };
      pen.strokeStyle = "#333333";
      outline(lines, 0.8);
      if (!shapes) paths.forEach((path) => outline(path, 0.8));
      if (view.cell >= 0) {
        const [l, t, r, b] = box.subarray(4 * view.cell, 4 * view.cell + 4);
        const cell = new Path2D();
        cell.rect(l, t, r - l, b - t);
        outline(shapes ? shapes[view.cell] : cell, 1.6);
      }
      if (view.region >= 0) outline(paths[view.region], 2.4);
      if (about.unit === "km") scale(w, h, dense);
      if (view.cursor) cross(view.cursor[0] * sx + dx, view.cursor[1] * sy + dy, 7 * dense);
      canvas.style.touchAction = view.zoom > 1 ? "none" : "pan-y"; // a finger scrolls past the whole map
    }
    function scale(w, h, dense) { // a bar of 1, 2 or 5 times a power of ten, for whatever zoom
      const limit = about.width / view.zoom / 5, power = 10 ** Math.floor(Math.log10(limit));
      const length = power * [5, 2, 1].find((digit) => digit * power <= limit);
      const [left, bottom] = [12 * dense, h - 10 * dense];
      const right = left + (length / about.width) * w * view.zoom;
      const words = length < 1 ? `${said(length * 1000)} m` : `${said(length)} km`;
      pen.font = `${12 * dense}px system-ui, sans-serif`;
      pen.textAlign = "center";
      for (const [colour, width] of [["#ffffff", 5], ["#333333", 2]]) {
        pen.strokeStyle = pen.fillStyle = colour;
        pen.lineWidth = width * dense;
        pen.beginPath();
        pen.moveTo(left, bottom);
        pen.lineTo(right, bottom);
        pen.stroke();
        if (width > 2) pen.strokeText(words, (left + right) / 2, bottom - 6 * dense);
        else pen.fillText(words, (left + right) / 2, bottom - 6 * dense);
      }
    }
    function cross(x, y, arm) {
      const path = new Path2D();
      path.moveTo(x - arm, y);
      path.lineTo(x + arm, y);
      path.moveTo(x, y - arm);
      path.lineTo(x, y + arm);
      for (const [colour, width] of [["#ffffff", 0.6], ["#2166ac", 0.3]]) {
        pen.strokeStyle = colour;
        pen.lineWidth = width * arm;
        pen.stroke(path);
      }
    }

    function at(px, py) {
      const [sx, sy, dx, dy] = place();
      return [(px - dx) / sx, (py - dy) / sy];
    }
    function cellAt(x, y) {
      if (x < 0 || y < 0 || x > FULL || y > FULL) return -1;
      const found = squares[square(y) * SIDE + square(x)];
      pen.setTransform(1, 0, 0, 1, 0, 0);
      return found.find((i) => box[4 * i] <= x && x < box[4 * i + 2] && box[4 * i + 1] <= y && y < box[4 * i + 3]
        && (!shapes || pen.isPointInPath(shapes[i], x, y, "evenodd"))) ?? -1;
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
      const group = groups[view.group];
      if (view.region >= 0) {
        const region = about.regions[view.region];
        const numbers = region.numbers[view.group];
        parts.push(numbers ? told(region.name, numbers, region.means[view.group]) : phrase("outside", region.name));
      }
      if (view.cell >= 0) {
        const [numbers, means] = [group.numbers, group.means].map((all) => all?.subarray(3 * view.cell, 3 * view.cell + 3));
        const [l, t, r, b] = box.subarray(4 * view.cell, 4 * view.cell + 4);
        const wide = ((r - l) / FULL) * about.width, tall = ((b - t) / FULL) * about.height;
        const name = shapes ? about.shapes[view.cell].name : "";
        if (name && about.regions[view.region]?.name === name) parts.pop(); // told once
        const which = name || phrase("cell", said(wide), said(tall), about.unit);
        parts.push(told(which, numbers, means));
      } else if (view.cursor && (about.nowhere || shapes)) parts.push(phrase("nowhere"));
      if (parts.length && group.name) parts.unshift(`${group.name}.`);
      status.textContent = parts.join(" ") || phrase("hint");
    }
    function go(across, down) { // to the next cell, but not by less than one can see
      if (view.cursor) {
        const least = FULL / 40 / view.zoom;
        let [x, y] = view.cursor;
        const i = cellAt(x, y);
        const [l, t, r, b] = i < 0 || shapes ? [x + 1, y + 1, x, y] : box.subarray(4 * i, 4 * i + 4);
        if (across) x = across > 0 ? Math.max(x + least, r) : Math.min(x - least, l - 1);
        if (down) y = down > 0 ? Math.max(y + least, b) : Math.min(y - least, t - 1);
        view.cursor = [x, y].map((v) => Math.min(FULL - 1, Math.max(0, v)));
      } else view.cursor = middle();
      const follow = (v, start) => {
        const part = (v / FULL) * view.zoom + start; // of the window
        return start + Math.max(0, 0.05 - part) + Math.min(0, 0.95 - part);
      };
      view.x = follow(view.cursor[0], view.x);
      view.y = follow(view.cursor[1], view.y);
      keep();
    }
    const middle = () => at(canvas.width / 2, canvas.height / 2);
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
    fit = () => {
      const dense = window.devicePixelRatio || 1, ratio = about.height / about.width;
      const whole = Math.max(0.8 * window.innerHeight, 320) / ratio; // all of it is seen at once
      const wide = Math.floor(Math.min(canvas.parentNode.clientWidth - 2, Math.max(whole, 200)));
      canvas.width = Math.round(wide * dense);
      canvas.height = Math.round(Math.min(wide * ratio, 2 * wide) * dense);
      canvas.style.width = `${wide}px`;
      canvas.style.height = `${canvas.height / dense}px`;
      draw();
    };

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
      view.cursor = null;
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
      const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
      if (event.key in moves) go(...moves[event.key]);
      else if (factor) {
        view.cursor ??= middle();
        const [sx, sy, dx, dy] = place();
        zoom(factor, view.cursor[0] * sx + dx, view.cursor[1] * sy + dy);
      } else if (event.key === "0") Object.assign(view, { zoom: 1, x: 0, y: 0, cursor: middle() });
      else return;
      event.preventDefault();
      look(...view.cursor); // what is there is read out
    });
    canvas.addEventListener("blur", () => { view.cursor = null; draw(); });
    document.getElementById("closer").onclick = () => zoom(1.6, canvas.width / 2, canvas.height / 2);
    document.getElementById("farther").onclick = () => zoom(1 / 1.6, canvas.width / 2, canvas.height / 2);
    document.getElementById("whole").onclick = () => { Object.assign(view, { zoom: 1, x: 0, y: 0 }); draw(); };
    document.querySelectorAll("[name=view], [name=group]").forEach((input) => input.addEventListener("change", () => {
      view[input.name === "group" ? "group" : "which"] = Number(input.value);
      legend();
      tell();
      draw();
    }));

    function legend() {
      const list = document.getElementById("legend");
      list.replaceChildren(...groups[view.group].views[view.which].legend.filter((each) => each.occurs).map((each) => {
        const item = document.createElement("li"), patch = document.createElement("i");
        patch.style.background = each.colour;
        item.append(patch, each.label);
        return item;
      }));
    }

    const point = (region) => { view.cell = -1; light(region); tell(); draw(); };
    rows.forEach((row, i) => {
      const region = Number(row.dataset.region);
      row.tabIndex = i ? -1 : 0; // one stop for the whole table; arrows go on from there
      for (const [on, off] of [["pointerenter", "pointerleave"], ["focus", "blur"]]) {
        row.addEventListener(on, () => point(region));
        row.addEventListener(off, () => point(-1));
      }
      row.addEventListener("keydown", (event) => {
        const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
        if (!next) return;
        event.preventDefault();
        row.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      });
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
          return sign * (isNaN(one) || isNaN(other) ? one.localeCompare(other, document.documentElement.lang) : Number(one) - Number(other));
        };
        const body = rows[0].parentNode;
        body.append(...[...rows].sort(order));
        [...body.rows].forEach((row, i) => { row.tabIndex = i ? -1 : 0; });
      });
    });
    legend();
    tell();
    fit();
    resized.disconnect();
    resized.observe(canvas.parentNode);
  }

  async function painted({ rows, columns, bits, colour }) { // a picture that is clear where there is land
    const packed = new Uint8Array(await unpacked(bits));
    const picture = Object.assign(document.createElement("canvas"), { width: columns, height: rows });
    const pen = picture.getContext("2d");
    const image = pen.createImageData(columns, rows);
    const [red, green, blue] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
    for (let i = 0; i < rows * columns; i++)
      if (packed[i >> 3] & (128 >> (i & 7))) image.data.set([red, green, blue, 255], 4 * i);
    pen.putImageData(image, 0, 0);
    return picture;
  }

  function build() {
    const radio = about.groups[0].views.map((_, i) =>
      `<label><input type="radio" name="view" value="${i}"${i ? "" : " checked"}></label>`).join(" ");
    const explorer = document.createElement("div");
    explorer.id = "explorer";
    explorer.innerHTML = `<div class="tools" role="group">
      <label><select name="group" autocomplete="off"></select></label> ${radio}
      <span><button type="button" id="closer">+</button>
      <button type="button" id="farther">\u2212</button>
      <button type="button" id="whole"></button></span></div>
      <canvas id="map" tabindex="0" role="application" aria-describedby="told"></canvas>
      <ul id="legend"></ul><p id="told" role="status" aria-live="polite"></p>`;
    const part = (name) => explorer.querySelector(name);
    for (const [name, words] of [[".tools", "tools"], ["#closer", "closer"], ["#farther", "farther"], ["#map", "label"]])
      part(name).setAttribute("aria-label", phrase(words));
    part("#map").setAttribute("aria-roledescription", phrase("map"));
    part("#whole").textContent = phrase("whole");
    about.groups[0].views.forEach((view, i) => part(`[value="${i}"]`).after(` ${view.name}`));
    const choice = part("select");
    choice.before(phrase("group"), " ");
    choice.append(...about.groups.map((group, i) => new Option(group.name, i)));
    if (about.groups.length < 2) choice.parentNode.remove();
    const picture = document.getElementById("picture");
    picture.style.display = "none";
    picture.after(explorer);
  }
  document.addEventListener("language", start);
  start();
})();
