"""What Chiang and Cholak (2022) print about FIRST: sections 3.3 and 5.2, in the order of the paper."""

from weightproof.constructions.chiang2022.parity_claims import SLIPS as OF_PARITY
from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.published import Claims, Under, domains, slips

ENCODING = ("(w[i] == '0')", "(w[i] == '1')", "(i == 0)", "(i == 1)")
S = "exp(c)/(exp(c) + n - 1)*((w[1] == '1') - 1/2)"
AT_CLS = ("0", "0", "1", "0", "0", S)

SLIPS = slips(
    "chiang2022",
    "first",
    "values: Components 4 and 5 of the values are 0 at every position, position 1 included; the values stand in "
    "component 6.",
    "section 5.2: the values are $V^{2,1}_{i,6}$",
    says.Writes(says.Weights("W_V", 2, 1), 6),
)

claims = Claims(
    "first",
    "section 1",
    "recognises: recognises FIRST, at every length",
    says.Accepts(),
    "section 2.2.1",
    *domains(OF_PARITY["WE"]),
    "section 2.2.3",
    r"output-layer: $y = \sigma(W^{L+1} a^{L,0} + b^{L+1})$",
    says.Output("first"),
    "section 3.3",
    "a0: $a^{0,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = 1])$",
    says.Vector(0, *ENCODING, stage="embedding"),
    *says.matrix("W_V-1", "W^{V,1,1}", says.Weights("W_V", 1, 1)),
    "c1: $c^{1,i} = a^{0,i}$",
    says.Vector(1, *ENCODING, stage="attention"),
    *says.matrix("W_F1", "W^{F,1,1}", says.Weights("W_F1", 1), "-1 0 -1 1", shape=(1, 4)),
    *says.matrix("b_F1", "b^{F,1,1}", says.Weights("b_F1", 1)),
    "W_F2: $W^{F,1,2}$: the column $(0, 0, 0, 0, 1)$",
    says.Matrix(says.Weights("W_F2", 1), *"00001"),
    r"W_F2-shape: $W^{F,1,2}$ is $5 \times 1$",
    says.Shape(says.Weights("W_F2", 1), 5, 1),
    *says.matrix("b_F2", "b^{F,1,2}", says.Weights("b_F2", 1)),
    r"a1: $a^{1,i}$: $a^{0,i}$ with the fifth row $I[w_i = 1 \wedge i = 1]$",
    says.Vector(1, *ENCODING, "(w[i] == '1' and i == 1)"),
    *says.matrix("W_Q-2", "W^{Q,2,1}", says.Weights("W_Q", 2, 1), "0 0 c*sqrt(d) 0 0"),
    *says.matrix("W_K-2", "W^{K,2,1}", says.Weights("W_K", 2, 1), "0 0 0 1 0"),
    *says.matrix("W_V-2", "W^{V,2,1}", says.Weights("W_V", 2, 1), *says.zeros(5, 5), "0 0 0 -1/2 1", shape=(6, 5)),
    *says.matrix("second-FFNN", "W^{F,2,2}", says.Weights("W_F2", 2)),
    "a2: $a^{2,0} = (0, 0, 1, 0, 0, s)$",
    says.Vector(2, *AT_CLS, when="i == 0"),
    Under("empty word"),
    "section 3.3, equation 1",
    r"s: $s = \frac{\exp c}{\exp c + n - 1} (I[w_1 = 1] - \frac{1}{2})$",
    says.Value(says.Logit(), S),
    Under("empty word"),
    "section 3.3",
    *says.matrix("W3", "W^3", says.Weights("W"), "0 0 0 0 0 1", shape=(1, 6)),
    *says.matrix("b3", "b^3", says.Weights("b"), "0"),
    "output: $y > 1/2$ exactly where $w_1 = 1$",
    says.Accepts("w[1] == '1'"),
    r"closer: $y$ gets closer to $1/2$ as $n$ grows: $s \to 0$",
    says.Order("o", "1"),
    "section 1, Hahn's lemma",
    "order: a change of $w_1$ changes $s$ by $O(1/n)$, and $s$ with it",
    says.Order("O", "1/n"),
    "section 5.2",
    r"values: the values $V^{2,1}_i$ of the positions $i \ne 1$ are 0",
    says.Value(says.Projected("W_V", 2, 1, "s"), "0", "i != 1"),
    "values-4-5: these values are $V^{2,1}_{i,4}$ and $V^{2,1}_{i,5}$",
    says.Writes(says.Weights("W_V", 2, 1), 4, 5),
    SLIPS["values"],
)
