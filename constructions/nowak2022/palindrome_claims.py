"""What Nowak et al. (2022) print about PALINDROME: section 3.2 and appendix A, in the order of the paper, and the
mistakes of print in it, each with its smallest correction.

What depends on W_V of head 1 is claimed of the weights as printed, too; the rest is the same for both.
"""

from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.published import Claims, Item, Reading, Slip, Under, domains, slips

Z, Z_REVERSED = "sum(exp(c*j) for j in indices)", "sum(exp(c*(n - j - 1)) for j in indices)"
"""The normalisation constants of the two heads."""

CLOSER = "p < n and ((q < p and p + q < n - 1) or (p < q and p + q > n - 1))"
"""p is closer to (n-1)/2 than q."""
CLOSER_IN_FIRST_HALF = "q < p and 2*p <= n - 1"
POWERS = "sum(2**j for j in indices)/(2**n - 1)"
POWERS_REVERSED = "sum(2**(n - j - 1) for j in indices)/(2**n - 1)"

SLIPS = slips(
    "nowak2022",
    "palindrome",
    r"WE: The word embedding is declared on $\Sigma$, in which there is no CLS and no EOS.",
    r"section 2.2: $WE : \Sigma \cup \{CLS, EOS\} \to R^d$",
    says.Domain("WE", "0", "1", "CLS", "EOS"),
    "PE: The position encoding is declared as a function of the position alone; the text above it allows the "
    "length, too, which every one in use depends on.",
    r"section 2.2: $PE : N \times N \to R^d$, of $i$ and $n$",
    says.Domain("PE", "i", "n"),
    "W_V: The 1 in $W^{V,2,1}$ stands one column too far to the right, where it reads the mark of the second half.",
    r"section 3.2.3: $W^{V,2,1}$: $0^{10 \times 10}$ above $(0, \dots, 0, 1, 0)$",
    says.Matrix(says.Weights("W_V", 2, 1), *says.zeros(10, 10), "0 0 0 0 0 0 0 0 1 0"),
    "CLS: CLS is in the first half, at distance $n-1$ from the end, and the residual connection keeps both.",
    "section 3.2.3: $a^{2,0} = (0, 0, 1, 0, 0, n-1, 1, 0, 0, 0, s)$",
    says.Vector(
        2,
        *("0", "0", "1", "0", "0", "n - 1", "1", "0", "0", "0"),
        f"sum((2*j <= n - 1)*((w[j] == '1') - (w[n-1-j] == '1'))*exp(c*j) for j in indices)/{Z}",
        when="i == 0",
    ),
    "center: Head 1 attends the more to a position the closer it is to the end of the sequence, head 2 to its "
    "beginning: only in the half that it looks at is that towards the center.",
    "section 3.2.3: in its own half head 1 attends more to positions closer to the center of the sequence",
    says.Prefers(2, 1, CLOSER_IN_FIRST_HALF),
    "sign: The values of the second head lack the sign of $W^{V,2,2}$, which the sum for $s$ has.",
    r"appendix A: $V^{2,2} = (0, \dots, 0, -I[w_i = 1], \dots, -I[w_i = 1])$",
    says.Value(says.Projected("W_V", 2, 2, "s"), "-(i >= (n - 1)/2 and w[i] == '1')"),
    r"range: The last line of the derivation loses the range $i \le \frac{n-1}{2}$ of the sum, and so counts each "
    "mismatch twice, once with the weight of the other half.",
    r"appendix A: $s = \frac{1}{2^n - 1} \sum (-1)^{I[w_i = 0]} 2^i$ over $1 \le i \le \frac{n-1}{2}$ with $w_i \ne "
    r"w_{n-i-1}$, for $c = \ln 2$",
    says.Value(
        says.Logit(),
        "sum((1 <= j and 2*j <= n - 1 and w[j] != w[n-1-j])*(-1)**(w[j] == '0')*2**j for j in indices)/(2**n - 1)",
        at={"c": "log(2)"},
    ),
    "EOS: The normalisation constants of the two heads have the same $n$ terms in another order, whatever the "
    "positions hold; EOS is needed so that the first symbol stands opposite the last one, and not CLS.",
    r"appendix A: $\sum_{j=0}^{n-1} \exp(cj) = \sum_{j=0}^{n-1} \exp(c(n-j-1))$",
    says.Value(says.Formula(Z), Z_REVERSED),
    "plus: Two equal sums are added, and should be subtracted.",
    r"appendix C: $\sum_{i=0}^n \frac{2^i}{2^{n+1} - 1} - \sum_{i=n}^0 \frac{2^i}{2^{n+1} - 1} = 0$",
    says.Value(says.Formula(f"{POWERS} - {POWERS_REVERSED}"), "0"),
    "rounded: The second summand changes the fifth digit; one that is ten times smaller would be lost.",
    r"appendix C: $1.2345 \times 10^8 + 6.7890 \times 10^2$ to five digits is $1.2345 \times 10^8$",
    # In tenths.
    says.Value(says.Formula("12345*10**5 + 6789 + 50000 - (12345*10**5 + 6789 + 50000) % 10**5"), "12345*10**5"),
)

MODEL: tuple[Item, ...] = (
    "section 2.2",
    *domains(SLIPS["WE"], SLIPS["PE"]),
    "PE-in-words: position encodings are functions of the position and the length of the input",
    says.Domain("PE", "i", "n"),
    "output-position: the output at position 0 is the result",
    says.Output("first"),
)

LEFT, RIGHT = "i <= (n - 1)/2", "i >= (n - 1)/2"
POSITION = ("i", "n - i - 1", f"({LEFT})", f"({RIGHT})")
ENCODING = ("(w[i] == '0')", "(w[i] == '1')", "(i == 0)", "(i == n - 1)", *POSITION)
BASE_2 = "exp(c) == 2"
TOTAL, REVERSED = f"({Z})", f"({Z_REVERSED})"
S = f"1/{TOTAL}*sum((2*j <= n - 1)*((w[j] == '1') - (w[n-1-j] == '1'))*exp(c*j) for j in indices)"


def mismatches(where: str) -> str:
    """The signed sum over the positions j with a mismatch that are counted; CLS and EOS, at 0 and n-1, are one."""
    mismatch = "(w[j] != w[n-1-j] or j == 0 or j == n - 1)"
    return f"1/(2**n - 1)*sum(({where} and {mismatch})*(-1)**(w[j] == '0')*2**j for j in indices)"


def embedding(token: str, column: str) -> tuple[Item, ...]:
    """The ten printed rows of a word embedding, and how many they are; the sum of both embeddings is printed with 8."""
    of = says.Weights("WE", token=token)
    return (
        f"WE-{token}: $WE({token}) = ({', '.join(column)})$",
        says.Matrix(of, *column),
        f"WE-{token}-shape: $WE({token})$ has 10 rows",
        says.Shape(of, 10),
        Under("padding"),
    )


def of_both(*of_matrix: Slip, of_sums: tuple[Slip, ...] = ()) -> tuple[Item, ...]:
    """What depends on W_V of head 1, about one of the two constructions: the matrix itself is a slip of the repaired
    one, all that should come of it is false of the other."""
    return (
        "section 3.2.3",
        r"W_V-2-1: $W^{V,2,1}$: $0^{10 \times 10}$ above $(0, \dots, 0, 1)$",
        says.Matrix(says.Weights("W_V", 2, 1), *says.zeros(10, 10), "0 0 0 0 0 0 0 0 0 1"),
        *of_matrix,
        r"s: $s = \frac{1}{2^n - 1} \sum (-1)^{I[w_i = 0]} 2^i$ for $c = \ln 2$, over $i$ in the first "
        r"half with $w_i \ne w_{n-i-1}$",
        says.Value(says.Logit(), mismatches("2*j <= n - 1"), at={"c": "log(2)"}),
        Under("symbols only"),
        *of_sums,
        "zero: $s = 0$ exactly where $w$ is a palindrome",
        says.Compares("==", 0, None, BASE_2, only=True),
        *of_sums,
        "section 3.2.4",
        "recognises: $y = I[s = 0]$ recognises PALINDROME",
        says.Accepts(None, BASE_2),
        *of_sums,
        "appendix A",
        r"V-2-1: $V^{2,1} = (I[w_i = 1], \dots, I[w_i = 1], 0, \dots, 0)$: the 1s of the first half",
        says.Value(says.Projected("W_V", 2, 1, "s"), f"({LEFT} and w[i] == '1')"),
        *of_sums,
        r"s-1: $s = \sum_i I[w_i = 1 \wedge i \le \frac{n-1}{2}] \frac{\exp(ci)}{\sum_j \exp(cj)} - "
        r"\sum_i I[w_i = 1 \wedge i \ge \frac{n-1}{2}] \frac{\exp(c(n-i-1))}{\sum_j \exp(c(n-j-1))}$",
        says.Value(
            says.Logit(),
            f"sum((w[j] == '1' and 2*j <= n - 1)*exp(c*j) for j in indices)/{TOTAL} "
            f"- sum((w[j] == '1' and 2*j >= n - 1)*exp(c*(n - j - 1)) for j in indices)/{REVERSED}",
        ),
        *of_sums,
        r"s-3: $s = \sum_{i=0}^{\lfloor \frac{n-1}{2} \rfloor} I[w_i = 1] \frac{\exp(ci)}{\sum_j "
        r"\exp(cj)} - \sum_{i=0}^{\lfloor \frac{n-1}{2} \rfloor} I[w_{n-i-1} = 1] "
        r"\frac{\exp(ci)}{\sum_j \exp(cj)}$",
        says.Value(
            says.Logit(),
            f"sum((w[j] == '1' and 2*j <= n - 1)*exp(c*j) for j in indices)/{TOTAL} "
            f"- sum((w[n-1-j] == '1' and 2*j <= n - 1)*exp(c*j) for j in indices)/{TOTAL}",
        ),
        *of_sums,
        r"s-4: $s = \frac{1}{\sum_j \exp(cj)} \sum_{i \le \frac{n-1}{2}} (I[w_i = 1] - "
        "I[w_{n-i-1} = 1]) e^{ci}$",
        says.Value(says.Logit(), S),
        *of_sums,
    )


claims = (
    Claims(
        "palindrome",
        "section 2.1",
        r"positions: $n$ is the length of the sequence plus any CLS or EOS tokens, and $w_i$ for $i \in [0, \dots, "
        "n-1]$",
        says.Count("positions", "m + 2"),
        *MODEL,
        "section 3.2",
        "layers: $L = 2$",
        says.Count("layers", 2),
        "heads: $H = 2$ in the second layer",
        says.Count("heads", 2, layer=2),
        "width: $d = 11$",
        says.Count("width", 11),
        "section 3.2.1",
        *embedding("0", "1000000000"),
        *embedding("1", "0100000000"),
        *embedding("CLS", "0010000000"),
        *embedding("EOS", "0001000000"),
        r"PE: $PE(i) = (0, 0, 0, 0, i, n-i-1, I[i \le \frac{n-1}{2}], I[i \ge \frac{n-1}{2}])$",
        says.Vector(0, "0", "0", "0", "0", *POSITION, stage="position"),
        r"halves: the two halves are disjoint for even $n$; for odd $n$ both contain $i = \frac{n-1}{2}$",
        says.Value(says.Stream("[left]", 0, "embedding"), f"1 - ({RIGHT}) + (2*i == n - 1)"),
        r"a0: $a^{0,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[w_i = EOS], i, n-i-1, I[i \le \frac{n-1}{2}], I[i "
        r"\ge \frac{n-1}{2}])$",
        says.Vector(0, *ENCODING, stage="embedding"),
        "section 3.2.2",
        *says.matrix("W_V-1", "W^{V,1}", says.Weights("W_V", 1, 1)),
        *says.matrix(
            "W_F1", "W^{F,1,1}", says.Weights("W_F1", 1), "-1 0 -1 -1 0 0 1 0", "-1 0 -1 -1 0 0 0 1", shape=(2, 8)
        ),
        *says.matrix("b_F1", "b^{F,1,1}", says.Weights("b_F1", 1)),
        *says.matrix("W_F2", "W^{F,1,2}", says.Weights("W_F2", 1), *says.zeros(8, 2), "1 0", "0 1", shape=(10, 2)),
        *says.matrix("b_F2", "b^{F,1,2}", says.Weights("b_F2", 1)),
        r"a1: $a^{1,i}$: $a^{0,i}$ with $I[i \le \frac{n-1}{2} \wedge w_i = 1]$ and $I[i \ge \frac{n-1}{2} \wedge w_i "
        "= 1]$",
        says.Vector(1, *ENCODING, f"({LEFT} and w[i] == '1')", f"({RIGHT} and w[i] == '1')"),
        "section 3.2.3",
        "center-1: both heads attend more to positions closer to the center of the sequence: head 1",
        Reading(says.Prefers(2, 1, CLOSER), "of all positions"),
        Reading(says.Prefers(2, 1, CLOSER_IN_FIRST_HALF), "of those in the half that it looks at"),
        SLIPS["center"],
        "center-2: both heads attend more to positions closer to the center of the sequence: head 2",
        Reading(says.Prefers(2, 2, CLOSER), "of all positions"),
        Reading(says.Prefers(2, 2, "p < q and 2*p >= n - 1 and q <= n - 1"), "of those in the half that it looks at"),
        SLIPS["center"],
        r"W_Q-2-1: $W^{Q,2,1} = (0, 0, c\sqrt{d}, 0, \dots, 0)$",
        says.Matrix(says.Weights("W_Q", 2, 1), "0 0 c*sqrt(d) 0 0 0 0 0 0 0"),
        r"W_Q-2-2: $W^{Q,2,2} = (0, 0, c\sqrt{d}, 0, \dots, 0)$",
        says.Matrix(says.Weights("W_Q", 2, 2), "0 0 c*sqrt(d) 0 0 0 0 0 0 0"),
        *says.matrix("W_K-2-1", "W^{K,2,1}", says.Weights("W_K", 2, 1), "0 0 0 0 1 0 0 0 0 0"),
        *says.matrix("W_K-2-2", "W^{K,2,2}", says.Weights("W_K", 2, 2), "0 0 0 0 0 1 0 0 0 0"),
        r"W_V-2-2: $W^{V,2,2}$: $0^{10 \times 10}$ above $(0, \dots, 0, -1)$",
        says.Matrix(says.Weights("W_V", 2, 2), *says.zeros(10, 10), "0 0 0 0 0 0 0 0 0 -1"),
        r"W_V-2-shape: $W^{V,2,1}$ is $11 \times 10$",
        says.Shape(says.Weights("W_V", 2, 1), 11, 10),
        *says.matrix("second-FFNN", "W^{F,2,2}", says.Weights("W_F2", 2)),
        "a2: $a^{2,0} = (0, 0, 1, 0, 0, 0, 0, 0, 0, 0, s)$",
        says.Vector(2, "0", "0", "1", *["0"] * 7, S, when="i == 0"),
        SLIPS["CLS"],
        *of_both(SLIPS["W_V"]),
        "section 3.2.4",
        r"W: $W^O = (0, \dots, 0, 1)$",
        says.Matrix(says.Weights("W"), "0 0 0 0 0 0 0 0 0 0 1"),
        *says.matrix("b", "b^O", says.Weights("b"), "0"),
        r"magnitude: in the worst case $s$ is of magnitude $O(1/2^n)$, for $c = \ln 2$",
        Reading(
            says.Order("O", "1/2**n", side="rejected", at={"c": "log(2)"}),
            sense="the worst case is the least s that is not 0",
        ),
        "section 3.2.5",
        r"base-2: $c = \ln 2$ turns the softmax into base 2: $\alpha^{2,1,0}_i = 2^i/(2^n - 1)$",
        says.Value(says.Attention(2, 1), "2**p/(2**n - 1)", at={"c": "log(2)"}),
        "appendix A",
        r"q: $q^{2,1,0} = q^{2,2,0} = c\sqrt{d}$: head 1",
        says.Value(says.Projected("W_Q", 2, 1, "q"), "c*sqrt(d)", "i == 0"),
        r"q-2: $q^{2,1,0} = q^{2,2,0} = c\sqrt{d}$: head 2",
        says.Value(says.Projected("W_Q", 2, 2, "q"), "c*sqrt(d)", "i == 0"),
        r"K-2-1: $K^{2,1} = (0, \dots, i, \dots, n-1)$",
        says.Value(says.Projected("W_K", 2, 1, "q"), "i"),
        r"K-2-2: $K^{2,2} = (n-1, \dots, n-i-1, \dots, 0)$",
        says.Value(says.Projected("W_K", 2, 2, "q"), "n - i - 1"),
        # The keys and values of the second head are printed without the sign of transposition.
        r"K-2-1-stacked: $K^{2,1} = (0, \dots, n-1)^\top$ is a column",
        says.Stack("W_K", 2, 1, "rows", "n", 1),
        "V-2-1-stacked: $V^{2,1}$ is the transpose of a matrix of 11 rows",
        says.Stack("W_V", 2, 1, "rows", "n", 11),
        r"K-2-2-stacked: $K^{2,2} = (n-1, \dots, 0)$ is a row",
        says.Stack("W_K", 2, 2, "rows", 1, "n"),
        Under("transposition"),
        "V-2-2-stacked: $V^{2,2}$ is a matrix of 11 rows",
        says.Stack("W_V", 2, 2, "rows", 11, "n"),
        Under("transposition"),
        r"V-2-2: $V^{2,2} = (0, \dots, 0, I[w_i = 1], \dots, I[w_i = 1])$: the 1s of the second half",
        says.Value(says.Projected("W_V", 2, 2, "s"), f"({RIGHT} and w[i] == '1')"),
        SLIPS["sign"],
        r"alpha-1: $\alpha^{2,1,0}_i = \frac{\exp(ci)}{\sum_{j=0}^{n-1} \exp(cj)}$",
        says.Value(says.Attention(2, 1), f"exp(c*p)/{TOTAL}"),
        r"alpha-2: $\alpha^{2,2,0}_i = \frac{\exp(c(n-i-1))}{\sum_{j=0}^{n-1} \exp(c(n-j-1))}$",
        says.Value(says.Attention(2, 2), f"exp(c*(n - p - 1))/{REVERSED}"),
        r"s-5: $s = \frac{1}{2^n - 1} \sum_{w_i \ne w_{n-i-1}} (-1)^{I[w_i = 0]} 2^i$, for $c = \ln 2$",
        says.Value(says.Logit(), mismatches("1 == 1"), at={"c": "log(2)"}),
        Under("symbols only"),
        SLIPS["range"],
        r"powers: there is no way to sum powers of 2 with coefficients $\le 1$ to get a larger power of 2",
        Reading(
            says.Value(says.Formula("sum(2**j for j in indices)"), "2**n - 1"),
            sense="all smaller powers together are 1 less than the next",
        ),
        "EOS: unless the sequence is symmetric with its tags, the two halves have different normalisation constants",
        says.Value(says.Formula(f"({Z} != {Z_REVERSED})"), "1"),
        SLIPS["EOS"],
        "appendix C",
        r"decimals: $1.2345 \times 10^8 + 6.7890 \times 10^3 = 123456789$",
        says.Value(says.Formula("12345*10**4 + 67890/10"), "123456789"),
        r"rounded: to five digits, that is $1.2345 \times 10^8$",
        Reading(
            says.Value(says.Formula("123456789 - 123456789 % 10**4"), "12345*10**4"),
            sense="the other digits are cut off",
        ),
        Reading(
            says.Value(says.Formula("123456789 + 5000 - (123456789 + 5000) % 10**4"), "12345*10**4"),
            sense="it is rounded to the nearest, as floating point does",
        ),
        SLIPS["rounded"],
        r"plus: $\sum_{i=0}^n \frac{2^i}{2^{n+1} - 1} + \sum_{i=n}^0 \frac{2^i}{2^{n+1} - 1} = 0$",
        says.Value(says.Formula(f"{POWERS} + {POWERS_REVERSED}"), "0"),
        SLIPS["plus"],
        repair="Head 1 of the second layer reads the mark of the first half, where print has that of the second.",
    ),
    Claims("palindrome-as-printed", *of_both(of_sums=(SLIPS["W_V"],))),
)
