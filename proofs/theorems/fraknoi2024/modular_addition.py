"""Addition modulo p by rotation: what the text says of the algorithm, and by how much the sum is ahead."""

from __future__ import annotations

from weightproof.proofs.modular.stated import Frequencies, Gap, Holds, Predicts, Theorem

ONE, SEVERAL, ALL, ANY = Frequencies.ONE, Frequencies.SEVERAL, Frequencies.ALL, Frequencies.ANY

theorems: dict[str, tuple[Theorem, ...]] = {
    "modular_addition": (
        Holds("step 2, cosine", "cos of sum k", "2*cos(2*pi*k*(a + b)/p)"),
        Holds("step 2, sine", "sin of sum k", "2*sin(2*pi*k*(a + b)/p)"),
        Holds("step 3", "", "2*cos(2*pi*k*(a + b - c)/p)"),
        Predicts("argmax, one frequency", ONE),
        Gap("gap, one frequency", ONE, "2*(1 - cos(2*pi/p))"),
        Predicts("argmax, several frequencies", SEVERAL),
        Predicts("argmax, all frequencies", ALL),
        Gap("gap, all frequencies", ALL, "2*p"),
    ),
    "uncorrected": (
        Holds("output", "", "4*cos(pi*k*(a - b)/p)**2*cos(2*pi*k*(a + b - c)/p)"),
        Predicts("argmax, odd p", ONE, odd=True),
        Gap("gap, odd p", ONE, "2*(1 - cos(pi/p))*(1 - cos(2*pi/p))", odd=True),
        Predicts("argmax", ONE, expected="refuted"),
    ),
    "any_frequency": (Predicts("argmax, any frequency", ANY, expected="refuted"),),
}
"""By the function that makes the network."""
