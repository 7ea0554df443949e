/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */

/*
 * The local cache's section on the DataNode's web page. It reads the DataNode's /jmx and adds one
 * section with tables, and charts of the last hour, at the end of the page. Without a local cache,
 * it adds nothing. All values of the DataNode are inserted as text, never as HTML.
 */
(function () {
  "use strict";

  var QUERY = "/jmx?qry=Hadoop:service=DataNode,name=*LocalCache*";
  var STATUS = /name=LocalCache$/;
  var METRICS = /name=DataNodeLocalCache/;
  var LABELS = { NORMAL: "success", DEGRADED: "warning", PROBING: "warning", DOWN: "danger" };
  var NOT_NORMAL = { off: "default", "no-ssd": "danger", "ssd-down": "danger" };
  var UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];
  var MISSES = ["ReadsMissAdmitted", "ReadsMissNotAdmitted"];
  var SVG = "http://www.w3.org/2000/svg";
  var MINUTES = 60;
  var WIDTH = 350;
  var HEIGHT = 90;

  /* An element with children: elements or text. */
  function element(tag, className, children) {
    var made = document.createElement(tag);
    if (className) {
      made.className = className;
    }
    (children || []).forEach(function (child) {
      made.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
    });
    return made;
  }

  function row(tag, cells) {
    return element("tr", "", cells.map(function (cell) {
      return element(tag, "", [cell]);
    }));
  }

  function table(id, head, rows) {
    var made = element("table", "table", [
      element("thead", "", [row("th", head)]),
      element("tbody", "", rows.map(function (cells) { return row("td", cells); }))
    ]);
    made.id = id;
    return made;
  }

  function label(text, kind) {
    return element("span", "label label-" + kind, [text]);
  }

  function bytes(n) {
    var unit = 0;
    while (n >= 1024 && unit < UNITS.length - 1) {
      n /= 1024;
      unit++;
    }
    return Math.round(n * 10) / 10 + " " + UNITS[unit];
  }

  function count(n) {
    return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
  }

  function percent(part, whole) {
    return whole > 0 ? (100 * part / whole).toFixed(1) + " %" : "-";
  }

  /*
   * The records of a bean: Hadoop's /jmx has all records of a source in one bean, with .1, .2 and so
   * on after the names of the second and later ones.
   */
  function records(bean) {
    var found = {};
    Object.keys(bean).forEach(function (name) {
      var parts = /^(tag\.)?(.+?)(?:\.(\d+))?$/.exec(name);
      var record = found[parts[3] || "0"] || (found[parts[3] || "0"] = { values: {}, tags: {} });
      record[parts[1] ? "tags" : "values"][parts[2]] = bean[name];
    });
    return Object.keys(found).map(function (key) { return found[key]; });
  }

  /* The title of a record: its own tags, or the DataNode itself. */
  function title(record) {
    var own = Object.keys(record.tags).filter(function (tag) {
      return tag !== "Context" && tag !== "Hostname";
    });
    return own.map(function (tag) { return tag + " " + record.tags[tag]; }).join(", ") || "this DataNode";
  }

  function sum(values, wanted) {
    return Object.keys(values).filter(wanted).reduce(function (total, name) {
      return total + Number(values[name]);
    }, 0);
  }

  function startsWith(prefix) {
    return function (name) { return name.indexOf(prefix) === 0; };
  }

  function isMiss(name) {
    return MISSES.indexOf(name) >= 0;
  }

  function readCells(record) {
    var v = record.values;
    var hit = v.ReadsHit || 0;
    var partial = v.ReadsPartialHit || 0;
    var bytesHit = v.BytesHit || 0;
    var bytesMiss = v.BytesMiss || 0;
    var bytesBypass = v.BytesBypass || 0;
    return [title(record),
      percent(bytesHit, bytesHit + bytesMiss + bytesBypass),
      percent(hit, hit + partial + (v.ReadsMissAdmitted || 0)),
      count(hit), count(partial), count(sum(v, isMiss)), count(sum(v, startsWith("ReadsBypass"))),
      bytes(bytesHit), bytes(v.BytesMemory || 0), bytes(bytesMiss), bytes(bytesBypass)];
  }

  function memoryCells(record) {
    var v = record.values;
    return [title(record), count(v.MemoryPages || 0), bytes(v.MemoryUsedBytes || 0),
      bytes(v.MemoryCapacityBytes || 0), bytes(v.BufferBytes || 0)];
  }

  function pageCells(record) {
    var v = record.values;
    return [title(record), count(v.Pages || 0), count(v.Blocks || 0), count(v.Fills || 0),
      bytes(v.FillWrittenBytes || 0), count(v.FillQueuePages || 0), count(v.Evictions || 0),
      count(v.InvalidatedPages || 0), count(v.DamagedPages || 0),
      count(sum(v, startsWith("Errors")))];
  }

  /* Bytes written to an SSD, and its remaining life if known. */
  function wear(ssd) {
    var life = ssd.enduranceBytes > 0 ? " of " + bytes(ssd.enduranceBytes) : "";
    var left = ssd.lifeDays >= 0 ? ", " + count(ssd.lifeDays) + " days left" : "";
    return bytes(ssd.writtenBytes) + life + left;
  }

  function ssdCells(ssd) {
    return [ssd.path, label(ssd.state, LABELS[ssd.state] || "default"), ssd.reason,
      bytes(ssd.usedBytes), bytes(ssd.capacityBytes), count(ssd.pages), wear(ssd)];
  }

  function svg(tag, attributes) {
    var made = document.createElementNS(SVG, tag);
    Object.keys(attributes).forEach(function (name) {
      made.setAttribute(name, attributes[name]);
    });
    return made;
  }

  /* The growth of a counter in each minute; not negative after a restart of the DataNode. */
  function growth(name) {
    return function (minute, before) { return Math.max(0, minute[name] - before[name]); };
  }

  function inBytes(n) {
    return bytes(n) + "/min";
  }

  function inPercent(n) {
    return n.toFixed(1) + " %";
  }

  /*
   * A chart of the last hour, now at its right edge. A line has a name, a colour, and a function of
   * a minute and the previous one.
   */
  function chart(id, title, text, minutes, most, lines) {
    var values = lines.map(function (line) {
      return minutes.slice(1).map(function (minute, i) { return line.of(minute, minutes[i]); });
    });
    var highest = most || Math.max.apply(null, [1].concat(values.map(function (of) {
      return Math.max.apply(null, of.concat(0));
    })));
    var drawn = svg("svg", { width: WIDTH, height: HEIGHT, id: id });
    drawn.appendChild(svg("rect", { width: WIDTH, height: HEIGHT, fill: "#f8f8f8" }));
    values.forEach(function (of, i) {
      var points = of.map(function (value, j) {
        return Math.round(WIDTH - (of.length - 1 - j) * WIDTH / (MINUTES - 1)) + ","
          + Math.round(HEIGHT - 1 - value / highest * (HEIGHT - 2));
      });
      drawn.appendChild(svg("polyline", { points: points.join(" "), fill: "none",
        stroke: lines[i].colour, "stroke-width": 2 }));
    });
    var legend = element("div", "", lines.map(function (line, i) {
      var name = element("span", "", [line.name + ": " + (values[i].length
        ? text(values[i][values[i].length - 1]) : "-") + "  "]);
      name.style.color = line.colour;
      return name;
    }));
    var made = element("div", "", [element("strong", "", [title]),
      element("span", "text-muted", [", up to " + text(highest)]), element("br"), drawn, legend]);
    made.style.cssText = "display: inline-block; vertical-align: top; font-size: 12px; "
      + "margin: 0 15px 15px 0; width: " + WIDTH + "px";
    return made;
  }

  function charts(minutes) {
    var made = element("div", "", [
      chart("local-cache-chart-reads", "Reads of clients", inBytes, minutes, 0, [
        { name: "SSD", colour: "#3c763d", of: growth("ssdBytes") },
        { name: "memory", colour: "#31708f", of: growth("memoryBytes") },
        { name: "data volumes", colour: "#a94442", of: growth("volumeBytes") }]),
      chart("local-cache-chart-fills", "Written to the SSDs", inBytes, minutes, 0, [
        { name: "fills", colour: "#8a6d3b", of: growth("writtenBytes") }]),
      chart("local-cache-chart-ssds", "SSDs", inPercent, minutes, 100, [
        { name: "used", colour: "#3c763d", of: function (minute) {
          return minute.capacityBytes > 0 ? Math.min(100, 100 * minute.usedBytes / minute.capacityBytes) : 0;
        } },
        { name: "not normal", colour: "#a94442", of: function (minute) {
          return minute.ssds > 0 ? 100 * minute.notNormal / minute.ssds : 0;
        } }])
    ]);
    made.id = "local-cache-charts";
    return made;
  }

  function eventCells(event) {
    return [new Date(event.millis).toLocaleString(), event.text];
  }

  function section(status, measured) {
    var condition = status.Condition;
    var made = element("div", "", [
      element("div", "page-header", [
        element("h1", "", ["Local Cache ", label(condition.name,
          condition.normal ? "success" : NOT_NORMAL[condition.name] || "warning"),
          element("small", "", [" " + condition.detail])])
      ]),
      table("local-cache-ssds",
        ["SSD", "State", "Reason", "Used", "Capacity", "Pages", "Written"], status.Directories.map(ssdCells))
    ]);
    if (status.LastHour.length > 1) {
      made.appendChild(element("h4", "", ["The last hour"]));
      made.appendChild(charts(status.LastHour));
    }
    if (status.LastEvents.length > 0) {
      made.appendChild(table("local-cache-events",
        ["Time", "Last events"], status.LastEvents.map(eventCells)));
    }
    if (measured.length > 0) {
      made.appendChild(table("local-cache-reads",
        ["Reads since the start", "Offload", "Reuse rate", "Hits", "Partial hits", "Misses",
          "Bypasses", "From SSD and memory", "Of these from memory", "From volume: miss", "From volume: bypass"], measured.map(readCells)));
      made.appendChild(table("local-cache-pages",
        ["Pages since the start", "Cached", "Of blocks", "Filled", "Written", "Waiting", "Evicted",
          "Invalidated", "Damaged", "Errors"], measured.map(pageCells)));
      made.appendChild(table("local-cache-memory",
        ["Memory", "Pages", "Used", "Capacity", "Buffers in use"], measured.map(memoryCells)));
      made.appendChild(element("p", "text-muted", [
        "Offload (byte hit rate): share of clients' bytes from SSDs and memory. Reuse rate (hit rate): share of the "
        + "reads of admitted blocks that were hits. Counters are up to 10 s old."]));
    }
    made.id = "local-cache";
    return made;
  }

  function draw(beans) {
    var status = beans.filter(function (bean) { return STATUS.test(bean.name); })[0];
    var content = document.querySelector(".tab-content");
    if (!status || !Array.isArray(status.Directories) || !content) {
      return;
    }
    var measured = [];
    beans.forEach(function (bean) {
      if (METRICS.test(bean.name)) {
        measured = measured.concat(records(bean));
      }
    });
    measured = measured.filter(function (record) { return "ReadsHit" in record.values; });
    content.parentNode.insertBefore(section(status, measured), content.nextSibling);
  }

  var request = new XMLHttpRequest();
  request.open("GET", QUERY);
  request.onload = function () {
    if (request.status === 200) {
      draw(JSON.parse(request.responseText).beans);
    }
  };
  request.send();
})();
