"""What Steffen et al. (2022) print about 1-DYCK: sections 2.1 and 4.1, in the order of the paper, and the mistakes of
print in it, each with its smallest correction.

The paper's n is n - 1 here. k(w[:i]) is read as the paper defines it, count_0 - count_1, everywhere but in corrections,
which have count_1 - count_0, and 1/(i+1) for 1/i.
"""

from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.published import Claims, Under, domains, slips

ENCODING = ("(w[i] == '0')", "(w[i] == '1')", "(i == 0)", "(i == n - 1)")
"""The fourth is I[i = n], for the paper's n."""
OPENED, CLOSED = "(count('0', i) - count('1', i))", "(count('1', i) - count('0', i))"

SLIPS = slips(
    "steffen2022",
    "dyck1",
    r"positions: Positions are numbered $1, \dots, n$, which leaves out CLS at 0, whose vector keys, values and "
    "output need.",
    r"section 2.1: $i = 0, \dots, n$, of $n$ symbols",
    says.Count("positions", "m + 1"),
    r"WE: The word embedding is declared on $\Sigma$, in which there is no CLS.",
    r"section 2.1: $WE : \Sigma \cup \{CLS\} \to R^d$",
    says.Domain("WE", "0", "1", "CLS"),
    "PE: The position encoding is declared as a function of the position alone, but $I[i = n]$ depends on $n$, too.",
    r"section 2.1: $PE : N \times N \to R^d$, of $i$ and $n$",
    says.Domain("PE", "i", "n"),
    "output: The output layer reads CLS, at which causal attention sees nothing of the word; the one of section 4 "
    "sums over all positions.",
    r"section 2.1: $y = \sum_{i=0}^n (W^{L+1} a^{L,i} + b^{L+1})$",
    says.Output("sum"),
    "k: $k(w[:i])$ is defined as the opened less the closed brackets; the weights compute the closed less the "
    "opened ones, as the words before the display say and all that follows needs.",
    r"section 4.1: the first head computes $\frac{1}{i+1} (count_1 w[:i] - count_0 w[:i]) = \frac{1}{i+1} k(w[:i])$",
    says.Value(says.Stream("k/i", 1, "attention"), f"{CLOSED}/(i + 1)"),
    r"row: The row $\frac{1}{i}$ of $c^{1,i}$ is missing from the vectors printed later, though $W^{F,1,1}$ and "
    "$W^{F,2,1}$ have a column for it.",
    r"section 4.1: $a^{1,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = n], \frac{1}{i+1} k(w[:i]), "
    r"\frac{1}{i+1}, \frac{1}{i+1} I[k(w[:i]) > 0], \frac{1}{i+1} I[k(w[:i]) = 0])$",
    says.Vector(1, *ENCODING, f"{CLOSED}/(i + 1)", "1/(i + 1)", f"({CLOSED} > 0)/(i + 1)", f"({CLOSED} == 0)/(i + 1)"),
    "bias: $b^{F,2,2}$ is added to a vector of nine rows, and cannot have one; for DYCK-(1,D) it is printed with "
    "all rows.",
    r"section 4.1: $b^{F,2,2} = 0^{9 \times 1}$",
    says.Shape(says.Weights("b_F2", 2), 9, 1),
    "index: The first superscript is a layer, of which there are two, and not a position: $a^{i,n}$ stands for "
    "$a^{2,i}$.",
    r"section 4.1: in $a^{2,i}$: $\frac{1}{i+1}$ if $i = n$, and 0 otherwise, where all brackets are closed",
    says.Value(says.Stream("[k=0 and last]/i", 2), "(i == n - 1)/(i + 1)", "count('0') == count('1')"),
    "precede: A position attends to itself, too, which does not precede it: CLS to nothing else.",
    "section 4: our model only attends to input elements up to the current index $i$: CLS to itself alone",
    says.Value(says.Attention(1, 1), "(p == 0)"),
) | slips(
    "steffen2022",
    "dyck1-depth",
    "depth: The opened less the closed brackets are to be at most $D$; at least $-D$ are the closed less the opened "
    "ones.",
    r"section 4.2: accepted are the words of 1-DYCK with $count_0 w[:i] - count_1 w[:i] \le D$ for all $i$",
    says.Accepts(
        "count('1') == count('0') and all(count('1', j) <= count('0', j) "
        "and count('0', j) - count('1', j) <= D for j in positions)"
    ),
)

SHIFTED = Under("index shift")
AT_J = OPENED.replace("i)", "j)")
LAST = "(i == n - 1)"


def vector(layer: int, *entries: str, stage: says.Stage = "layer") -> says.Vector:
    """Rows with k in braces, which is opened less closed brackets."""
    return says.Vector(layer, *(entry.replace("{k}", OPENED) for entry in entries), stage=stage)


def value(of: says.Quantity, formula: str, when: str = "n >= 1") -> says.Value:
    """A single value, with k in braces as in `vector`."""
    return says.Value(of, formula.replace("{k}", OPENED), when)


def total(summand: str) -> says.Value:
    """The sum of a summand over the positions 0..n of the paper."""
    return says.Value(says.Logit(), f"sum({summand.replace('{k}', AT_J)} for j in indices)")


claims = Claims(
    "dyck1",
    "section 2.1",
    *domains(SLIPS["WE"], SLIPS["PE"]),
    r"range: vectors $c^{l,i}$ and $a^{l,i}$ for $i = 1, \dots, n$",
    says.Count("positions", "m"),
    SLIPS["positions"],
    r"keys: keys and values of $a^{l-1,0}, \dots, a^{l-1,n}$",
    says.Count("positions", "m + 1"),
    r"values-stacked: the values of $a^{l-1,0}, \dots, a^{l-1,n}$ as rows, here in the first layer",
    says.Stack("W_V", 1, 1, "rows", "n", 6),
    r"mask: masked, position $i$ attends to $a^{l-1,0}, \dots, a^{l-1,i}$: CLS to itself alone",
    says.Value(says.Attention(1, 1), "(p == 0)"),
    "output-layer: $y = W^{L+1} a^{L,0} + b^{L+1}$",
    says.Output("first"),
    SLIPS["output"],
    "section 4.1",
    r"positions: $w = w_0 w_1 \dots w_n$ with $w_0 = CLS$",
    says.Count("positions", "m + 1"),
    "section 4",
    "precede: our model only attends to input elements that precede the current index $i$: CLS, at $i = 0$, to none",
    says.Value(says.Attention(1, 1), "0", "p >= 0"),
    SLIPS["precede"],
    "recognises: recognises 1-DYCK with perfect accuracy",
    says.Accepts(),
    "section 4.1",
    "a0: $a^{0,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = n])$",
    says.Vector(0, *ENCODING, stage="embedding"),
    "layers: $L = 2$",
    says.Count("layers", 2),
    "heads: $H = 1$",
    says.Count("heads", 1),
    r"k: the first head computes $\frac{1}{i} (count_0 w[:i] - count_1 w[:i]) = \frac{1}{i} k(w[:i])$",
    value(says.Stream("k/i", 1, "attention"), "{k}/i"),
    SHIFTED,
    SLIPS["k"],
    "k-in-words: it computes the averaged difference of closing (1) and opening (0) brackets",
    says.Value(says.Stream("k/i", 1, "attention"), f"{CLOSED}/i"),
    SHIFTED,
    *says.matrix("W_Q", "W^{Q,1,1}", says.Weights("W_Q", 1, 1)),
    *says.matrix("W_K", "W^{K,1,1}", says.Weights("W_K", 1, 1)),
    *says.matrix("W_V", "W^{V,1,1}", says.Weights("W_V", 1, 1), *says.zeros(4, 4), "-1 1 0 0", "0 0 1 0", shape=(6, 4)),
    r"c1: $c^{1,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = n], \frac{1}{i} k(w[:i]), \frac{1}{i})$",
    vector(1, *ENCODING, "{k}/i", "1/i", stage="attention"),
    SHIFTED,
    SLIPS["k"],
    *says.matrix(
        "W_F1-1", "W^{F,1,1}", says.Weights("W_F1", 1), "0 0 0 0 1 1", "0 0 0 0 1 0", "0 0 0 0 1 -1", shape=(3, 6)
    ),
    *says.matrix("b_F1-1", "b^{F,1,1}", says.Weights("b_F1", 1), shape=(3, 1)),
    r"h1: $h^{1,i} = \frac{1}{i} (\max(0, k(w[:i]) + 1), \max(0, k(w[:i])), \max(0, k(w[:i]) - 1))$",
    vector(1, says.relu("{k} + 1", "1/i"), says.relu("{k}", "1/i"), says.relu("{k} - 1", "1/i"), stage="activation"),
    SHIFTED,
    SLIPS["k"],
    *says.matrix("W_F2-1", "W^{F,1,2}", says.Weights("W_F2", 1), *says.zeros(6, 3), "0 1 -1", "1 -2 1", shape=(8, 3)),
    r"b_F2-1-shape: $b^{F,1,2}$ is $8 \times 1$",
    says.Shape(says.Weights("b_F2", 1), 8, 1),
    r"a1: $a^{1,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = n], \frac{1}{i} k(w[:i]), \frac{1}{i} I[k(w[:i]) > "
    r"0], \frac{1}{i} I[k(w[:i]) = 0])$",
    vector(1, *ENCODING, "{k}/i", "({k} > 0)/i", "({k} == 0)/i"),
    SHIFTED,
    SLIPS["row"],
    SLIPS["k"],
    "a1-shape: $a^{1,i}$ has 7 rows",
    says.Shape(says.Rows(1), 7),
    SLIPS["row"],
    r"positive: $a^{1,i}$ holds $\frac{1}{i} I[k(w[:i]) > 0]$",
    value(says.Stream("[k>0]/i", 1), "({k} > 0)/i"),
    SHIFTED,
    SLIPS["k"],
    r"zero: $a^{1,i}$ holds $\frac{1}{i} I[k(w[:i]) = 0]$",
    value(says.Stream("[k=0]/i", 1), "({k} == 0)/i"),
    SHIFTED,
    *says.matrix("W_V-2", "W^{V,2,1}", says.Weights("W_V", 2, 1)),
    *says.matrix("W_F1-2", "W^{F,2,1}", says.Weights("W_F1", 2), "-1 -1 -1 1 0 0 0 1", shape=(1, 8)),
    *says.matrix("b_F1-2", "b^{F,2,1}", says.Weights("b_F1", 2)),
    r"h2-relu: $h^{2,i} = \max(0, \frac{1}{i} I[k(w[:i]) = 0] + I[i = n] - I[w_i = 0] - I[w_i = 1] - I[w_i = CLS])$",
    value(says.Stream("h", 2, "activation"), says.relu(f"({{k}} == 0)/i + {LAST} - {' - '.join(ENCODING[:3])}")),
    SHIFTED,
    r"h2: $h^{2,i} = \frac{1}{i} I[k(w[:i]) = 0 \wedge i = n]$",
    value(says.Stream("h", 2, "activation"), "({k} == 0 and i == n - 1)/i"),
    SHIFTED,
    r"W_F2-2: $W^{F,2,2}$: $0^{8 \times 1}$ above $1$",
    says.Matrix(says.Weights("W_F2", 2), *says.zeros(8, 1), "1"),
    r"W_F2-2-shape: $W^{F,2,2}$ is $9 \times 1$",
    says.Shape(says.Weights("W_F2", 2), 9, 1),
    *says.matrix("b_F2-2", "b^{F,2,2}", says.Weights("b_F2", 2), shape=(1, 1)),
    SLIPS["bias"],
    r"a2: $a^{2,i}$: the rows of $a^{1,i}$ as printed, with the eighth row $\frac{1}{i} I[k(w[:i]) = 0 \wedge i = n]$",
    vector(2, *ENCODING, "{k}/i", "({k} > 0)/i", "({k} == 0)/i", "({k} == 0 and i == n - 1)/i"),
    SHIFTED,
    SLIPS["row"],
    SLIPS["k"],
    "a2-shape: $a^{2,i}$ has 8 rows",
    says.Shape(says.Rows(2), 8),
    SLIPS["row"],
    r"end: $a^{2,i}$ holds $\frac{1}{i} I[k(w[:i]) = 0 \wedge i = n]$",
    value(says.Stream("[k=0 and last]/i", 2), "({k} == 0 and i == n - 1)/i"),
    SHIFTED,
    r"conditions: words of 1-DYCK are those with $\frac{1}{i} I[k(w[:i]) > 0] = 0$ for all $i \le n$, and $k = 0$ at "
    "the end",
    says.Accepts(f"all({AT_J} <= 0 for j in positions) and count('0') == count('1')"),
    SLIPS["k"],
    r"vector-index: the vectors $a^{i,n}$, for $i \le n$: a layer for each position",
    says.Count("layers", "n - 1"),
    SLIPS["index"],
    "end-of-balanced: it is $1/i$ if $i = n$, and 0 otherwise, where all brackets are closed",
    value(says.Stream("[k=0 and last]/i", 2), f"{LAST}/i", "count('0') == count('1')"),
    SHIFTED,
    r"s: the output is $\sum_{i=0}^n \frac{1}{i} I[k(w[:i]) = 0 \wedge i = n] - \frac{1}{i} I[k(w[:i]) > 0]$",
    total("({k} == 0 and j == n - 1)/j - ({k} > 0)/j"),
    SHIFTED,
    SLIPS["k"],
    r"member: it equals $\frac{1}{n}$ exactly where the word is balanced",
    says.Compares("==", "1/(n - 1)", None, only=True),
    SHIFTED,
    "other: it is at most 0 where the word is not balanced",
    says.Compares(">", 0, None, only=True),
    "section 2.2",
    "empty: the empty word is in 1-DYCK, and is accepted",
    says.Accepts(None, "n == 1"),
    notation="The paper's n is n - 1 here: it numbers the symbols 1 to n, and CLS stands at 0.",
    repair="The readout sums over all positions, as section 4.1 has it; the output layer of section 2.1 reads CLS.",
)
