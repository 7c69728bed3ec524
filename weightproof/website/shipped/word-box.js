"use strict";

// Runs an encoder in float64 on a word, and says what is known exactly of it. What the network is stands in the page as
// data (weightproof/website/boxed.py); what a layer does is said in constructions/meaning/schema.py. Each choice there is
// one entry of a table here, and what a table lacks is refused by its name.

const wordBox = (() => {
  const LONGEST = 2000; // symbols of a word that is run
  const DRAWN = 40; // positions up to which every row is drawn; of longer words only what is read

  class Refused extends Error {}

  function known(table, choice, name) {
    if (!Object.hasOwn(table, name)) throw new Refused(`the word box does not know the ${choice} "${name}"`);
    return table[name];
  }

  // Scalars and formulas: trees as weightproof/website/trees.py writes them.

  const COMPARE = {
    "==": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b,
    "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  };
  const ARITHMETIC = {
    "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b,
    "**": (a, b) => a ** b, "%": (a, b) => a - b * Math.floor(a / b),
  };
  const FUNCTIONS = {
    sqrt: Math.sqrt, log: Math.log, exp: Math.exp, sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh,
    cos: Math.cos, sin: Math.sin, pi: (x) => Math.PI * x,
    cospi: (x) => cosineOfHalfTurns(x), sinpi: (x) => cosineOfHalfTurns(x - 0.5),
  };

  function cosineOfHalfTurns(x) {
    const turn = Math.abs(x) % 2;
    if (turn === 0.5 || turn === 1.5) return 0;
    return Math.cos(Math.PI * turn);
  }

  // A formula is evaluated over integers: beyond those that a float holds nothing is known.
  function whole(value) {
    if (!Number.isSafeInteger(value)) throw new Refused("a number gets too large to be exact");
    return value;
  }

  function evaluated(tree, names, word, checked) {
    if (typeof tree === "number") return tree;
    const [operation, ...operands] = tree;
    const of = (operand, more = names) => evaluated(operand, more, word, checked);
    if (Object.hasOwn(ARITHMETIC, operation)) return checked(ARITHMETIC[operation](of(operands[0]), of(operands[1])));
    if (Object.hasOwn(COMPARE, operation)) return COMPARE[operation](of(operands[0]), of(operands[1]));
    if (Object.hasOwn(FUNCTIONS, operation)) return FUNCTIONS[operation](of(operands[0]));
    switch (operation) {
      case "name": return known(names, "name", operands[0]);
      case "bracket": return of(operands[0]) ? 1 : 0;
      case "and": return operands.every((part) => of(part));
      case "or": return operands.some((part) => of(part));
      case "not": return !of(operands[0]);
      case "symbol": return operands[0];
      case "token": return word.symbols[of(operands[0])] ?? null;
      case "count": return word.count(operands[0], operands.length > 1 ? of(operands[1]) : word.symbols.length - 1);
      case "all": return places(operands[1], word).every((j) => of(operands[2], { ...names, [operands[0]]: j }));
      case "sum": return places(operands[1], word)
        .reduce((total, j) => checked(total + Number(of(operands[2], { ...names, [operands[0]]: j }))), 0);
      case "matches": return matched(operands[0], word);
    }
    throw new Refused(`the word box does not know the operation "${operation}"`);
  }

  function places(domain, word) {
    const every = word.symbols.map((_, j) => j);
    return known({ indices: every, positions: every.filter((j) => word.symbols[j] !== null) }, "domain", domain);
  }

  // By the automaton of a regular expression; what it does not name goes with the last column.
  function matched({ symbols, rows, accepting }, word) {
    const column = (symbol) => (symbols.includes(symbol) ? symbols.indexOf(symbol) : symbols.length);
    const held = word.symbols.filter((symbol) => symbol !== null);
    return accepting.includes(held.reduce((state, symbol) => rows[state][column(symbol)], 0));
  }

  // A word as formulas see it: a marker holds no symbol.
  function marked(network, tokens) {
    const symbols = tokens.map((token) => (network.alphabet.includes(token) ? token : null));
    const counts = {};
    for (const symbol of network.alphabet) {
      let total = 0;
      counts[symbol] = symbols.map((each) => (each === symbol ? (total += 1) : total));
    }
    const count = (symbol, last) => (last < 0 ? 0 : counts[symbol][Math.min(last, symbols.length - 1)] ?? 0);
    return { symbols, count };
  }

  // The forward pass. A vector is an object: coordinate -> number.

  function product(rows, vector, scalar) {
    const result = {};
    for (const [row, columns] of Object.entries(rows)) {
      let total = 0;
      for (const [column, weight] of Object.entries(columns)) total += scalar(weight) * vector[column];
      result[row] = total;
    }
    return result;
  }

  function linear(map, vector, scalar) {
    const made = product(map.weights, vector, scalar);
    const result = {};
    for (const row of map.rows) result[row] = (made[row] ?? 0) + (row in map.bias ? scalar(map.bias[row]) : 0);
    return result;
  }

  const SCORES = { "dot": (product) => product, "-|dot|": (product) => -Math.abs(product) };
  const SEEN = {
    "none": () => true, "causal": (i, j) => j <= i, "strictly-causal": (i, j) => j < i,
    "future": (i, j) => j >= i, "strictly-future": (i, j) => j > i,
  };
  const SEES_NOTHING = { "softmax": false, "hardmax": false, "leftmost": true, "rightmost": true };
  const NORMALISERS = {
    softmax(scores) {
      const best = scores.reduce((a, b) => Math.max(a, b));
      const powers = scores.map((score) => Math.exp(score - best));
      const total = powers.reduce((a, b) => a + b, 0);
      return powers.map((power) => power / total);
    },
    hardmax(scores) {
      const best = scores.reduce((a, b) => Math.max(a, b));
      const total = scores.filter((score) => score === best).length;
      return scores.map((score) => (score === best ? 1 / total : 0));
    },
    leftmost(scores) {
      const place = scores.indexOf(scores.reduce((a, b) => Math.max(a, b), -Infinity));
      return scores.map((_, k) => (k === place ? 1 : 0));
    },
    rightmost(scores) {
      const place = scores.lastIndexOf(scores.reduce((a, b) => Math.max(a, b), -Infinity));
      return scores.map((_, k) => (k === place ? 1 : 0));
    },
  };
  const sigmoid = (x) => 1 / (1 + Math.exp(-x));

  // 2/sqrt(pi) e^(-x^2) (x + 2x^3/3 + 4x^5/15 + ...), all of whose terms have one sign; 1 from 6 on.
  function erf(x) {
    if (!(Math.abs(x) < 6)) return Math.sign(x);
    let term = x, total = 0;
    for (let k = 1; total + term !== total; k += 1) {
      total += term;
      term *= (2 * x * x) / (2 * k + 1);
    }
    return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total;
  }

  const ACTIVATIONS = {
    "relu": (x) => Math.max(0, x), "saturated-linear": (x) => Math.min(1, Math.max(0, x)),
    "step": (x) => (x > 0 ? 1 : 0), "square": (x) => x * x, "identity": (x) => x, "abs": Math.abs,
    "tanh": Math.tanh, "sigmoid": sigmoid, "silu": (x) => x * sigmoid(x),
    "gelu": (x) => (x * (1 + erf(x / Math.SQRT2))) / 2,
    "gelu-tanh": (x) => (x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)))) / 2,
  };

  function attend(head, stream, scalar, rows) {
    const [asked, held, values] = [head.W_Q, head.W_K, head.W_V].map((map) => stream.map((x) => product(map, x, scalar)));
    const queries = asked.map((x) => normalised(head.query_norm, x, scalar));
    const keys = held.map((x) => normalised(head.key_norm, x, scalar));
    const score = known(SCORES, "score", head.score);
    const normalise = known(NORMALISERS, "normaliser", head.normaliser);
    const shown = known(SEEN, "mask", head.mask);
    const seen = stream.map((_, i) => [...keys.keys()].filter((j) => shown(i, j)));
    const blind = known(SEES_NOTHING, "normaliser", head.normaliser) ? -1 : seen.findIndex((some) => some.length === 0);
    if (blind >= 0) throw new Refused(`position ${blind} sees nothing in some head`);
    const scale = scalar(head.scale);
    const weights = [], added = [];
    for (const i of rows) {
      const found = normalise(seen[i].map((j) => {
        let total = 0;
        for (const name of Object.keys(queries[i])) if (name in keys[j]) total += queries[i][name] * keys[j][name];
        return score(total) * scale;
      }));
      weights[i] = [];
      seen[i].forEach((j, k) => { weights[i][j] = found[k]; });
      const mean = {};
      for (const row of Object.keys(head.W_V)) {
        mean[row] = seen[i].reduce((total, j, k) => total + found[k] * values[j][row], 0);
      }
      added[i] = head.W_O === null ? mean : product(head.W_O, mean, scalar);
    }
    return { weights, added };
  }

  const CENTRES = {
    LayerNorm: (entries) => entries.reduce((total, [, x]) => total + x, 0) / entries.length, RootMeanSquare: () => 0,
  };

  function normalised(norm, vector, scalar) {
    if (norm === null) return vector;
    const entries = Object.entries(vector);
    const centre = known(CENTRES, "norm", norm.kind)(entries);
    const square = entries.reduce((total, [, x]) => total + (x - centre) * (x - centre), 0) / entries.length;
    const deviation = Math.sqrt(square + scalar(norm.epsilon));
    const of = (row, name) => (name in row ? scalar(row[name]) : 0);
    return Object.fromEntries(entries.map(([name, x]) => {
      const scaled = ((x - centre) / deviation) * (norm.gain === null ? 1 : of(norm.gain, name));
      return [name, norm.bias === null ? scaled : scaled + of(norm.bias, name)];
    }));
  }

  function plus(a, b) {
    return Object.fromEntries(Object.keys(a).map((name) => [name, a[name] + (b[name] ?? 0)]));
  }

  function layer(data, stream, scalar, rows) {
    const read = stream.map((x) => normalised(data.attention_norm_before, x, scalar));
    const heads = data.heads.map((head) => attend(head, read, scalar, rows));
    const made = [];
    for (const i of rows) {
      let vector = Object.fromEntries(Object.keys(stream[i]).map((name) => [name, 0]));
      for (const head of heads) vector = plus(vector, head.added[i]);
      if (data.attention_residual) vector = plus(vector, stream[i]);
      vector = normalised(data.attention_norm, vector, scalar);
      if (data.feed_forward !== null) {
        const { first, second, activation, gate } = data.feed_forward;
        const activate = known(ACTIVATIONS, "activation", activation);
        const seen = normalised(data.feed_forward_norm_before, vector, scalar);
        const units = linear(first, seen, scalar);
        const gates = gate === null ? units : linear(gate, seen, scalar);
        for (const unit of Object.keys(units)) units[unit] = activate(gates[unit]) * (gate === null ? 1 : units[unit]);
        const update = linear(second, units, scalar);
        const nothing = Object.fromEntries(Object.keys(vector).map((name) => [name, 0]));
        vector = plus(data.feed_forward_residual ? vector : nothing, update);
        vector = normalised(data.feed_forward_norm, vector, scalar);
      }
      made[i] = vector;
    }
    return { heads: heads.map((head) => head.weights), stream: made };
  }

  const every = (n) => [...Array(n).keys()];
  const READ = { first: (n) => [0], last: (n) => [n - 1], sum: every, mean: every };

  function run(network, word) {
    const tokens = [network.begin, ...word, network.end].filter((token) => token !== null);
    const n = tokens.length;
    if (n === 0) throw new Refused("the empty word has no position to read out; give a word");
    const names = { ...network.names, n };
    const free = (value) => value;
    const at = (i) => (weight) => evaluated(weight, { ...names, i }, null, free);
    const scalar = (weight) => evaluated(weight, names, null, free);
    let stream = tokens.map((token, i) => {
      const embedded = network.embedding[token] ?? {};
      return Object.fromEntries(network.coordinates.map((name) => {
        const encoding = name in network.positions ? Number(at(i)(network.positions[name])) : 0;
        return [name, (name in embedded ? scalar(embedded[name]) : 0) + encoding];
      }));
    });
    const read = known(READ, "readout position", network.readout.position)(n);
    const streams = [stream], attention = [];
    network.layers.forEach((data, number) => {
      const isLast = number === network.layers.length - 1;
      const made = layer(data, stream, scalar, isLast && n > DRAWN ? read : [...Array(n).keys()]);
      stream = made.stream;
      streams.push(stream);
      attention.push(made.heads);
    });
    const last = (i) => normalised(network.final_norm, stream[i], scalar);
    const summed = read.map((i) => linear(network.readout, last(i), scalar)).reduce(plus);
    const parts = network.readout.position === "mean" ? n : 1;
    const outputs = Object.fromEntries(Object.entries(summed).map(([row, value]) => [row, value / parts]));
    return { tokens, streams, attention, read, outputs, ...decided(network, outputs) };
  }

  // What floats decide: acceptance, or the token whose output is ahead of all others, the first of several.

  const AHEAD = { "argmax": (output, other) => output > other, "argmin": (output, other) => output < other };

  const ACCEPTANCE = {
    "logit > 0": (outputs) => ({ accepts: outputs.logit > 0 }),
    "logit >= 0": (outputs) => ({ accepts: outputs.logit >= 0 }),
    "logit = 0": (outputs) => ({ accepts: outputs.logit === 0 }),
    "logit < 0": (outputs) => ({ accepts: outputs.logit < 0 }),
    "logit <= 0": (outputs) => ({ accepts: outputs.logit <= 0 }),
    ...Object.fromEntries(Object.entries(AHEAD).map(([rule, ahead]) => [rule, (outputs, order) => ({
      token: order.reduce((best, each) => (ahead(outputs[each], outputs[best]) ? each : best)),
    })])),
  };

  function decided(network, outputs) {
    return known(ACCEPTANCE, "acceptance rule", network.readout.accept)(outputs, network.readout.outputs);
  }

  // What is exact: of short words the interpreter's verdicts, of longer ones what is proved.

  function exact(network, word) {
    if (word.length < network.verdicts.length) return interpreted(network, word);
    const proved = network.longer;
    if (proved === null) return { from: "not known here: no theorem says it of all lengths" };
    const tokens = [network.begin, ...word, network.end].filter((token) => token !== null);
    const names = { n: tokens.length };
    const from = `theorem "${proved.theorem}", proved for all lengths (${proved.evidence})`;
    const seen = marked(network, tokens);
    const holds = (formula) => evaluated(formula, names, seen, whole);
    try {
      if ("accepts" in proved) return { accepts: holds(proved.accepts), from };
      if (!holds(proved.language)) return { from: "not known here: the theorem says nothing of words outside the language" };
      const right = Object.keys(proved.right).filter((token) => holds(proved.right[token]));
      return right.length === 1 ? { token: right[0], from } : { from: "not known here: the language names no one token" };
    } catch (error) {
      if (error instanceof Refused) return { from: `not known here: ${error.message}` };
      throw error;
    }
  }

  function interpreted(network, word) {
    const place = word.reduce((total, symbol) => total * network.alphabet.length + network.alphabet.indexOf(symbol), 0);
    const verdict = network.verdicts[word.length][place];
    const from = "the exact interpreter";
    if (verdict === "?") return { from: "none: the network has no exact value on this word" };
    if (!(network.readout.accept in AHEAD)) {
      return { accepts: verdict === "+", from: verdict === "0" ? `${from}: the logit is exactly 0, which rejects` : from };
    }
    const tied = verdict >= "a";
    const token = network.readout.outputs[verdict.charCodeAt(0) - (tied ? "a" : "A").charCodeAt(0)];
    return { token, from: tied ? `${from}: several outputs are equal, and this is the first` : from };
  }

  // Of an alphabet with longer names than a letter, symbols stand apart.
  function symbols(network, word) {
    return network.alphabet.some((symbol) => symbol.length > 1) ? word.split(/\s+/).filter((symbol) => symbol) : [...word];
  }

  // All of it, for one word.
  function answer(network, typed) {
    const word = symbols(network, typed);
    if (word.length > LONGEST) throw new Refused(`a word of more than ${LONGEST} symbols is not run here`);
    const foreign = word.find((symbol) => !network.alphabet.includes(symbol));
    if (foreign !== undefined) throw new Refused(`"${foreign}" is no symbol; there are ${network.alphabet.join(", ")}`);
    if (network.symbols !== null && word.length !== network.symbols) {
      throw new Refused(`a word has ${network.symbols} symbols, not ${word.length}: write them as "${network.example}"`);
    }
    const ran = run(network, word);
    const found = exact(network, word);
    const part = "token" in ran ? "token" : "accepts";
    return { ran, exact: found, differs: part in found && found[part] !== ran[part] };
  }

  // The page.

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function said(decision) {
    if ("token" in decision) return `predicts ${decision.token}`;
    if ("accepts" in decision) return decision.accepts ? "accepts" : "rejects";
    return "no verdict";
  }

  function shortly(x) {
    if (x === 0 || Number.isInteger(x) && Math.abs(x) < 1e4) return String(x);
    return Math.abs(x) >= 0.001 && Math.abs(x) < 1e4 ? String(Number(x.toPrecision(3))) : x.toExponential(1);
  }

  function pair(name, ...value) {
    return element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, ...value));
  }

  function told(found) {
    const rows = "logit" in found.ran.outputs && !("token" in found.ran)
      ? [pair("logit in floats", String(found.ran.outputs.logit))]
      : Object.entries(found.ran.outputs).map(([token, x]) => pair(`output of ${token}`, String(x)));
    rows.push(pair("floats", said(found.ran)));
    rows.push(pair("exactly", "token" in found.exact || "accepts" in found.exact ? `${said(found.exact)}, by ${found.exact.from}` : found.exact.from));
    const parts = [element("table", { class: "pairs" }, element("tbody", {}, ...rows))];
    if (found.differs) {
      parts.push(element("p", { class: "warning" },
        "Rounding changes the decision: the floats of this page say otherwise than exact arithmetic, which is right."));
    }
    return parts;
  }

  // A table of numbers, shaded by their share of the greatest; rows and columns by name. A cell of null is not seen.
  function heat(title, names, rows) {
    const most = Math.max(...rows.flatMap(([, cells]) => cells).filter((x) => x !== null).map(Math.abs), 1e-300);
    const header = element("tr", {}, element("td"), ...names.map((name) => element("th", { scope: "col", class: "symbol" }, name)));
    const body = rows.map(([name, cells]) => element("tr", {},
      element("th", { scope: "row", class: "symbol" }, name),
      ...cells.map((x) => (x === null ? element("td", { style: "--share: 0" }, "·") : element("td",
        { style: `--share: ${Math.sqrt(Math.abs(x) / most).toFixed(3)}`, class: x < 0 ? "negative" : "positive" }, shortly(x))))));
    return element("table", { class: "heat" },
      element("caption", {}, title), element("thead", {}, header), element("tbody", {}, ...body));
  }

  function drawn(network, ran) {
    const n = ran.tokens.length;
    const rows = n <= DRAWN ? [...Array(n).keys()] : ran.read.slice(0, 1);
    const columns = n <= DRAWN ? rows : [...Array(n).keys()].slice(0, DRAWN);
    const label = (i) => `${i} ${ran.tokens[i]}`;
    const parts = [element("p", {}, "Of attention a row is a query and a column a key; a cell is darker the greater its number.")];
    if (n > DRAWN) {
      parts.push(element("p", {}, `Of ${n} positions the row that is read is drawn, and of what it attends to the first ${DRAWN}.`));
    }
    ran.attention.forEach((heads, layer) => heads.forEach((weights, number) => {
      const { normaliser } = network.layers[layer].heads[number];
      const title = `Attention, layer ${layer + 1}, head ${number + 1} (${normaliser})`;
      parts.push(frame(heat(title, columns.map(label), rows.map((i) => [label(i), columns.map((j) => weights[i][j] ?? null)]))));
    }));
    ran.streams.forEach((stream, layer) => {
      const title = layer === 0 ? "Residual stream: the embedding" : `Residual stream after layer ${layer}`;
      parts.push(frame(heat(title, rows.map(label), network.coordinates.map((name) => [name, rows.map((i) => stream[i][name])]))));
    });
    return parts;
  }

  function frame(table) {
    return element("div", { class: "wide" }, table);
  }

  function show(network, word) {
    const answerPlace = document.getElementById("answer"), drawnPlace = document.getElementById("drawn");
    try {
      const found = answer(network, word);
      answerPlace.replaceChildren(...told(found));
      drawnPlace.replaceChildren(...drawn(network, found.ran));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      answerPlace.replaceChildren(element("p", { class: "warning" }, `${error.message}.`));
      drawnPlace.replaceChildren();
    }
    reachable();
  }

  function start() {
    const network = JSON.parse(document.getElementById("network").textContent);
    const form = document.getElementById("word-form"), field = document.getElementById("word");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      show(network, field.value.trim());
    });
    field.value = new URLSearchParams(location.search).get("word") ?? field.value; // a link to the page may ask for one
    show(network, field.value);
    return network;
  }

  return { answer, network: start() };
})();
